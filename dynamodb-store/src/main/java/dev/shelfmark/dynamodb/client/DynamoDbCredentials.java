package dev.shelfmark.dynamodb.client;

import static dev.shelfmark.dynamodb.client.DynamoDbStoreConfig.ACCESS_KEY_ID;
import static dev.shelfmark.dynamodb.client.DynamoDbStoreConfig.PROFILE;
import static dev.shelfmark.dynamodb.client.DynamoDbStoreConfig.ROLE_ARN;
import static dev.shelfmark.dynamodb.client.DynamoDbStoreConfig.ROLE_EXTERNAL_ID;
import static dev.shelfmark.dynamodb.client.DynamoDbStoreConfig.SECRET_ACCESS_KEY;
import static dev.shelfmark.dynamodb.client.DynamoDbStoreConfig.SESSION_TOKEN;
import static dev.shelfmark.dynamodb.client.DynamoDbStoreConfig.WEB_IDENTITY_TOKEN_FILE;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** Who we are, by the settings; and what has to be closed for it. Nothing is asked before the first request. */
final class DynamoDbCredentials implements AutoCloseable {

    private final Deque<SdkAutoCloseable> opened = new ArrayDeque<>();
    private final AwsCredentialsProvider provider;

    DynamoDbCredentials(
            DynamoDbStoreConfig config, String sessionName, SdkHttpClient http, ClientOverrideConfiguration limits) {
        AwsCredentialsProvider own = own(config, sessionName);
        Optional<String> role = config.text(ROLE_ARN)
                .filter(arn -> config.text(WEB_IDENTITY_TOKEN_FILE).isEmpty());
        this.provider = role.map(arn -> assumed(config, arn, sessionName, own, http, limits))
                .orElse(own);
    }

    /** Its failures are {@link CredentialsException}s. */
    AwsCredentialsProvider provider() {
        return () -> {
            try {
                return provider.resolveCredentials();
            } catch (RuntimeException e) {
                throw new CredentialsException(e);
            }
        };
    }

    private AwsCredentialsProvider own(DynamoDbStoreConfig config, String sessionName) {
        if (config.text(ACCESS_KEY_ID).isPresent()) {
            return StaticCredentialsProvider.create(fixed(config));
        }
        Optional<String> token = config.text(WEB_IDENTITY_TOKEN_FILE);
        if (token.isPresent()) {
            return closing(WebIdentityTokenFileCredentialsProvider.builder()
                    .webIdentityTokenFile(Path.of(token.get()))
                    .roleArn(config.text(ROLE_ARN).orElseThrow())
                    .roleSessionName(sessionName)
                    .build());
        }
        Optional<String> profile = config.text(PROFILE);
        if (profile.isPresent()) {
            return closing(ProfileCredentialsProvider.create(profile.get()));
        }
        return closing(DefaultCredentialsProvider.builder().build());
    }

    private AwsCredentialsProvider assumed(
            DynamoDbStoreConfig config,
            String role,
            String sessionName,
            AwsCredentialsProvider own,
            SdkHttpClient http,
            ClientOverrideConfiguration limits) {
        StsClient sts = closing(StsClient.builder()
                .region(Region.of(config.region()))
                .credentialsProvider(own)
                .httpClient(http)
                .overrideConfiguration(limits)
                .build());
        return closing(StsAssumeRoleCredentialsProvider.builder()
                .stsClient(sts)
                .refreshRequest(request -> request.roleArn(role)
                        .roleSessionName(sessionName)
                        .externalId(config.text(ROLE_EXTERNAL_ID).orElse(null)))
                .build());
    }

    private static AwsCredentials fixed(DynamoDbStoreConfig config) {
        String id = config.text(ACCESS_KEY_ID).orElseThrow();
        String secret = config.secret(SECRET_ACCESS_KEY).orElseThrow();
        return config.secret(SESSION_TOKEN)
                .<AwsCredentials>map(token -> AwsSessionCredentials.create(id, secret, token))
                .orElseGet(() -> AwsBasicCredentials.create(id, secret));
    }

    private <T extends SdkAutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public void close() {
        opened.forEach(SdkAutoCloseable::close);
    }
}
