package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.StoreProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DynamoDbStoreConfigTest {

    private static final StoreProvider PROVIDER = ServiceLoader.load(StoreProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.name().equals("dynamodb"))
            .findFirst()
            .orElseThrow();

    @Test
    void regionIsRequired() {
        assertThatThrownBy(() -> open(Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("dynamodb.region");
        assertThatThrownBy(() -> open(Map.of("dynamodb.region", "")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("dynamodb.region");
    }

    @Test
    void everySettingHasThePrefixAndADescription() {
        for (ConfigDef.ConfigKey key : PROVIDER.configDef().configKeys().values()) {
            assertThat(key.name).startsWith("dynamodb.");
            assertThat(key.documentation.strip()).as(key.name).endsWith(".").doesNotContain("\n");
        }
    }

    @Test
    void secretsAreOfTypePassword() {
        assertThat(PROVIDER.configDef().configKeys().values())
                .filteredOn(key -> key.type == ConfigDef.Type.PASSWORD)
                .extracting(key -> key.name)
                .containsExactlyInAnyOrder(
                        "dynamodb.credentials.secret.access.key", "dynamodb.credentials.session.token");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dynamodb.credentials.access.key.id=AKID | secret.access.key",
                "dynamodb.credentials.secret.access.key=hunter2 | access.key.id",
                "dynamodb.credentials.session.token=hunter2 | access.key.id",
                "dynamodb.credentials.web.identity.token.file=/token | role.arn",
                "dynamodb.credentials.role.external.id=x | role.arn",
                "dynamodb.credentials.profile=p;dynamodb.credentials.access.key.id=A;dynamodb.credentials.secret.access.key=hunter2 |"
                        + " both set",
                "dynamodb.endpoint=localhost:8000 | dynamodb.endpoint",
                "dynamodb.endpoint=ftp://localhost | dynamodb.endpoint",
                "dynamodb.endpoint=http://ann:hunter2@localhost:8000 | dynamodb.credentials",
                "dynamodb.endpoint=ftp://ann:hunter2@localhost | dynamodb.endpoint",
                "dynamodb.endpoint=http://ann:hunter2 @localhost | dynamodb.endpoint",
                "dynamodb.region=eu central 1 | dynamodb.region",
                "dynamodb.region=eu_central_1 | dynamodb.region",
                "dynamodb.region=https://dynamodb.eu-central-1.amazonaws.com | dynamodb.region",
                "dynamodb.tags=team | key=value",
                "dynamodb.billing=free | dynamodb.billing",
                "dynamodb.request.timeout.ms=0 | dynamodb.request.timeout.ms"
            })
    void contradictionsAreNamedAndKeepSecrets(String settings, String named) {
        Map<String, String> map = new HashMap<>(Map.of("dynamodb.region", "eu-central-1"));
        for (String setting : settings.split(";", -1)) {
            map.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        assertThatThrownBy(() -> open(map))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(named.strip())
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void openingConnectsToNothingWhateverTheCredentials() {
        Map<String, String> base =
                Map.of("dynamodb.region", "eu-central-1", "dynamodb.endpoint", "http://192.0.2.1:8000");
        for (Map<String, String> credentials : List.of(
                Map.<String, String>of(),
                Map.of("dynamodb.credentials.profile", "no-such-profile"),
                Map.of("dynamodb.credentials.role.arn", "arn:aws:iam::123456789012:role/shelfmark"),
                Map.of(
                        "dynamodb.credentials.role.arn", "arn:aws:iam::123456789012:role/shelfmark",
                        "dynamodb.credentials.web.identity.token.file", "/no/such/token"))) {
            Map<String, String> settings = new HashMap<>(base);
            settings.putAll(credentials);
            open(settings);
        }
    }

    private static void open(Map<String, String> settings) {
        Map<String, Object> config = PROVIDER.configDef().parse(settings);
        StoreContext context = new StoreContext(config, Retention.NONE, "shelfmark broker/3", StoreListener.NONE);
        PROVIDER.open(context).close();
        PROVIDER.administration(context).close();
    }
}
