package dev.shelfmark.dynamodb.client;

import software.amazon.awssdk.core.exception.SdkClientException;

/** There are no credentials, so that nothing could be sent. Tells this apart from every other failure on our side. */
final class CredentialsException extends SdkClientException {

    private static final long serialVersionUID = 1;

    CredentialsException(RuntimeException cause) {
        super(SdkClientException.builder().message("no credentials").cause(cause));
    }
}
