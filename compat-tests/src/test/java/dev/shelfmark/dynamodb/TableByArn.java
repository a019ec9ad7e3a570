package dev.shelfmark.dynamodb;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Makes any server one that answers with the table's ARN where it was asked by name, as a table can be named either way. */
record TableByArn(String table) implements ExecutionInterceptor {

    @Override
    public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        return context.httpResponse().toBuilder()
                .removeHeader("x-amz-crc32")
                .removeHeader("Content-Length")
                .build();
    }

    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        return context.responseBody().map(body -> {
            try {
                String text = new String(body.readAllBytes(), StandardCharsets.UTF_8)
                        .replace(
                                "\"" + table + "\":",
                                "\"arn:aws:dynamodb:eu-central-1:123456789012:table/" + table + "\":");
                return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
