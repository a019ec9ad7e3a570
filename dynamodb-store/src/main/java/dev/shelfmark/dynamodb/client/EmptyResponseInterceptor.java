package dev.shelfmark.dynamodb.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Takes an answer without any content for none. DynamoDB answers whatever is about items with a JSON object, but the SDK reads
 * nothing at all as an object without fields: as an item that is not there, or a transaction that was applied.
 */
final class EmptyResponseInterceptor implements ExecutionInterceptor {

    /** Others, such as TagResource, have empty answers. */
    private static final Set<String> ABOUT_ITEMS =
            Set.of("BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "TransactWriteItems");

    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        Optional<InputStream> body = context.responseBody();
        boolean aboutItems = ABOUT_ITEMS.contains(attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME));
        return aboutItems && context.httpResponse().isSuccessful() ? Optional.of(notEmpty(body)) : body;
    }

    private static InputStream notEmpty(Optional<InputStream> body) {
        PushbackInputStream content = new PushbackInputStream(body.orElseGet(InputStream::nullInputStream));
        try {
            int first = content.read();
            if (first < 0) {
                content.close();
                throw SdkClientException.create("an answer without content");
            }
            content.unread(first);
            return content;
        } catch (IOException e) {
            throw SdkClientException.create("an answer that can't be read", e);
        }
    }
}
