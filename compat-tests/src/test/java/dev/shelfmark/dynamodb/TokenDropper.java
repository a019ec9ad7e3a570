package dev.shelfmark.dynamodb;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Makes any server one that does not know client tokens: each attempt gets another. */
final class TokenDropper implements ExecutionInterceptor {

    @Override
    public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
        return context.request() instanceof TransactWriteItemsRequest write
                ? write.toBuilder()
                        .clientRequestToken(java.util.UUID.randomUUID().toString())
                        .build()
                : context.request();
    }
}
