package dev.shelfmark.dynamodb.client;

import static dev.shelfmark.dynamodb.client.DynamoDbStoreConfig.CONNECT_TIMEOUT;
import static dev.shelfmark.dynamodb.client.DynamoDbStoreConfig.MAX_CONNECTIONS;
import static dev.shelfmark.dynamodb.client.DynamoDbStoreConfig.REQUEST_TIMEOUT;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * The SDK's client, with what must be closed after it. It never retries by itself: {@link Requests} does, because only there it
 * is known whether an earlier attempt may have been applied.
 *
 * <p>Apache's client is the smallest that bounds its pool and the wait for a connection. The JDK's HttpURLConnection, which the
 * smaller one uses, keeps five idle connections to a host however many threads there are, and repeats a POST on its own.
 */
public final class DynamoDbClients implements AutoCloseable {

    /** Longer than the period in which brokers look at their partitions, shorter than DynamoDB keeps an idle connection. */
    private static final Duration IDLE = Duration.ofSeconds(45);

    private static final int NAME_LENGTH = 50;

    private final SdkHttpClient http;
    private final DynamoDbCredentials credentials;
    private final DynamoDbClient client;
    private final CallTimers timers;

    private DynamoDbClients(
            SdkHttpClient http, DynamoDbCredentials credentials, DynamoDbClient client, CallTimers timers) {
        this.timers = timers;
        this.http = http;
        this.credentials = credentials;
        this.client = client;
    }

    public static DynamoDbClients of(
            DynamoDbStoreConfig config, String applicationName, ExecutionInterceptor... interceptors) {
        return PluginClassLoader.call(() -> connect(config, printable(applicationName), List.of(interceptors)));
    }

    private static DynamoDbClients connect(
            DynamoDbStoreConfig config, String applicationName, List<ExecutionInterceptor> interceptors) {
        SdkHttpClient http = Apache5HttpClient.builder()
                .maxConnections(config.number(MAX_CONNECTIONS))
                .connectionAcquisitionTimeout(config.duration(REQUEST_TIMEOUT))
                .connectionTimeout(config.duration(CONNECT_TIMEOUT))
                .socketTimeout(config.duration(REQUEST_TIMEOUT))
                .connectionMaxIdleTime(IDLE)
                .tcpKeepAlive(true)
                .build();
        CallTimers timers = new CallTimers();
        ClientOverrideConfiguration.Builder limits = ClientOverrideConfiguration.builder()
                .scheduledExecutorService(timers)
                .apiCallTimeout(config.duration(REQUEST_TIMEOUT))
                .retryStrategy(DefaultRetryStrategy.doNotRetry())
                .putAdvancedOption(SdkAdvancedClientOption.USER_AGENT_SUFFIX, applicationName);
        DynamoDbCredentials credentials = new DynamoDbCredentials(config, applicationName, http, limits.build());
        // Answers go through them from the last to the first.
        List<ExecutionInterceptor> all = new ArrayList<>(List.of(new EmptyResponseInterceptor()));
        all.addAll(interceptors);
        DynamoDbClientBuilder builder = DynamoDbClient.builder()
                .region(Region.of(config.region()))
                .credentialsProvider(credentials.provider())
                .httpClient(http)
                .overrideConfiguration(limits.executionInterceptors(all).build());
        config.endpoint().ifPresent(builder::endpointOverride);
        return new DynamoDbClients(http, credentials, builder.build(), timers);
    }

    public DynamoDbClient client() {
        return client;
    }

    /** Makes a call as it must be made on a thread of a broker. */
    <T> T call(Function<DynamoDbClient, T> call) {
        return timers.keepingInterrupts(() -> PluginClassLoader.call(() -> call.apply(client)));
    }

    /** As role sessions and user agents allow it. */
    private static String printable(String applicationName) {
        String printable = applicationName.replaceAll("[^A-Za-z0-9=,.@-]", "-");
        return printable.length() < 2 ? "shelfmark" : printable.substring(0, Math.min(printable.length(), NAME_LENGTH));
    }

    @Override
    public void close() {
        client.close();
        credentials.close();
        http.close();
        // Calls under way still end in time.
        timers.shutdown();
    }
}
