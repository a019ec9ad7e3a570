package dev.shelfmark.dynamodb;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Lets real requests reach the server and replaces what comes back, as if DynamoDB had answered so: what an emulator never does,
 * such as throttling, and what happens after a change was applied, such as an error of the other side.
 */
final class ScriptedAnswers implements ExecutionInterceptor {

    private static final ExecutionAttribute<Answer> CHOSEN = new ExecutionAttribute<>("shelfmark-scripted-answer");

    private final Deque<Answer> script = new ArrayDeque<>();
    private final ConcurrentMap<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private Runnable before = () -> {};

    private record Answer(String operation, int status, String body) {}

    /** The next answer to this operation will be an error. */
    void fail(String operation, int status, String code) {
        script.add(new Answer(
                operation,
                status,
                "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + code + "\",\"message\":\"scripted\"}"));
    }

    /** The next answer to this operation will be this one. */
    void answer(String operation, String body) {
        script.add(new Answer(operation, 200, body));
    }

    /** The next transaction will seem cancelled for these reasons. */
    void cancel(String... reasons) {
        StringBuilder body =
                new StringBuilder("{\"__type\":\"com.amazonaws.dynamodb.v20120810#TransactionCanceledException\","
                        + "\"message\":\"scripted\",\"CancellationReasons\":[");
        for (int i = 0; i < reasons.length; i++) {
            body.append(i == 0 ? "" : ",")
                    .append("{\"Code\":\"")
                    .append(reasons[i])
                    .append("\"}");
        }
        script.add(new Answer("TransactWriteItems", 400, body.append("]}").toString()));
    }

    /** Runs once, before the next request is sent. */
    void before(Runnable action) {
        before = action;
    }

    int calls(String operation) {
        return calls.getOrDefault(operation, new AtomicInteger()).get();
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
        calls.computeIfAbsent(operation, unused -> new AtomicInteger()).incrementAndGet();
        Runnable action = before;
        before = () -> {};
        action.run();
        Answer next = script.peek();
        if (next != null && next.operation().equals(operation)) {
            attributes.putAttribute(CHOSEN, script.remove());
        }
    }

    @Override
    public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        Answer chosen = attributes.getAttribute(CHOSEN);
        if (chosen == null) {
            return context.httpResponse();
        }
        return context.httpResponse().toBuilder()
                .statusCode(chosen.status())
                .removeHeader("x-amz-crc32")
                .removeHeader("Content-Length")
                .build();
    }

    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        Answer chosen = attributes.getAttribute(CHOSEN);
        return chosen == null
                ? context.responseBody()
                : Optional.of(new ByteArrayInputStream(chosen.body().getBytes(StandardCharsets.UTF_8)));
    }
}
