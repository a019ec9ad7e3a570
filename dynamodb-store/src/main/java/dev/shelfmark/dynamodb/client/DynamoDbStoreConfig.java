package dev.shelfmark.dynamodb.client;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** The settings {@code dynamodb.*}: their definitions, and their values in the types that the store works with. */
public final class DynamoDbStoreConfig {

    public static final String REGION = "dynamodb.region";
    public static final String TABLE = "dynamodb.table";
    public static final String ENDPOINT = "dynamodb.endpoint";

    static final String PROFILE = "dynamodb.credentials.profile";
    static final String ROLE_ARN = "dynamodb.credentials.role.arn";
    static final String ROLE_EXTERNAL_ID = "dynamodb.credentials.role.external.id";
    static final String WEB_IDENTITY_TOKEN_FILE = "dynamodb.credentials.web.identity.token.file";
    public static final String ACCESS_KEY_ID = "dynamodb.credentials.access.key.id";
    public static final String SECRET_ACCESS_KEY = "dynamodb.credentials.secret.access.key";
    static final String SESSION_TOKEN = "dynamodb.credentials.session.token";

    static final String CONNECT_TIMEOUT = "dynamodb.connect.timeout.ms";
    public static final String REQUEST_TIMEOUT = "dynamodb.request.timeout.ms";
    public static final String CALL_TIMEOUT = "dynamodb.call.timeout.ms";
    public static final String LOAD_TIMEOUT = "dynamodb.load.timeout.ms";
    static final String MAX_CONNECTIONS = "dynamodb.max.connections";
    public static final String MAX_ATTEMPTS = "dynamodb.max.attempts";

    public static final String BILLING = "dynamodb.billing";
    public static final String READ_UNITS = "dynamodb.provisioned.read.units";
    public static final String WRITE_UNITS = "dynamodb.provisioned.write.units";
    public static final String KMS_KEY = "dynamodb.kms.key";
    public static final String TAGS = "dynamodb.tags";
    public static final String POINT_IN_TIME_RECOVERY = "dynamodb.point.in.time.recovery";
    public static final String DELETION_PROTECTION = "dynamodb.deletion.protection";
    public static final String MIGRATE_TIMEOUT = "dynamodb.migrate.timeout.ms";

    private static final String PROVISIONED = "provisioned";
    private static final Pattern REGION_CODE = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    public static final ConfigDef DEFINITION = new ConfigDef()
            .define(
                    REGION,
                    ConfigDef.Type.STRING,
                    NO_DEFAULT_VALUE,
                    ConfigDef.LambdaValidator.with(DynamoDbStoreConfig::checkRegion, () -> "a region's code"),
                    HIGH,
                    """
                    The AWS region of the table, such as eu-central-1. It is never guessed from the machine: a broker moved to another \
                    region would find no table, or another one. Needed with an endpoint of your own, too, because requests are signed \
                    for a region.""")
            .define(TABLE, ConfigDef.Type.STRING, "shelfmark", new ConfigDef.NonEmptyString(), HIGH, """
                    The table's name, or its ARN when it is another account's. Several Kafka clusters may share a table.""")
            .define(ENDPOINT, ConfigDef.Type.STRING, "", MEDIUM, """
                    The URL to call instead of the region's public endpoint: a private endpoint, or an emulator in tests. Empty for the \
                    region's own.""")
            .define(PROFILE, ConfigDef.Type.STRING, "", MEDIUM, """
                    The profile of the AWS configuration files to take credentials from. Empty for the default chain of the AWS SDK: \
                    environment, system properties, web identity, default profile, container, instance.""")
            .define(ROLE_ARN, ConfigDef.Type.STRING, "", MEDIUM, """
                    The ARN of a role to assume, with the credentials found otherwise or with a web identity token. Empty to use \
                    those credentials themselves.""")
            .define(ROLE_EXTERNAL_ID, ConfigDef.Type.STRING, "", LOW, """
                    The external id that the role to assume demands. Empty for none.""")
            .define(WEB_IDENTITY_TOKEN_FILE, ConfigDef.Type.STRING, "", LOW, """
                    The file with the web identity token to assume the role with. Empty for none; the default chain finds the one that \
                    Kubernetes service accounts are given by itself.""")
            .define(ACCESS_KEY_ID, ConfigDef.Type.STRING, "", LOW, """
                    An access key id, for emulators and tests. Prefer any other way: this one can't be rotated without a restart.""")
            .define(SECRET_ACCESS_KEY, ConfigDef.Type.PASSWORD, "", LOW, """
                    The secret to dynamodb.credentials.access.key.id.""")
            .define(SESSION_TOKEN, ConfigDef.Type.PASSWORD, "", LOW, """
                    The session token to dynamodb.credentials.access.key.id, when the key is a temporary one.""")
            .define(CONNECT_TIMEOUT, ConfigDef.Type.INT, 2_000, between(1, 60_000), LOW, """
                    How long to wait for a connection, in milliseconds.""")
            .define(REQUEST_TIMEOUT, ConfigDef.Type.INT, 3_000, between(1, 300_000), MEDIUM, """
                    How long one request may take before it is given up and tried again, in milliseconds.""")
            .define(CALL_TIMEOUT, ConfigDef.Type.INT, 10_000, between(1, 300_000), MEDIUM, """
                    How long a write or a small read may take with all its repeats, in milliseconds.""")
            .define(LOAD_TIMEOUT, ConfigDef.Type.INT, 60_000, between(1, 3_600_000), MEDIUM, """
                    How long reading a whole partition may take, in milliseconds.""")
            .define(MAX_CONNECTIONS, ConfigDef.Type.INT, 32, between(1, 1_000), LOW, """
                    How many connections to hold at most.""")
            .define(MAX_ATTEMPTS, ConfigDef.Type.INT, 8, between(1, 100), LOW, """
                    How often to try a request that was throttled, conflicted with another or got no answer; within the limits above.""")
            .define(
                    BILLING,
                    ConfigDef.Type.STRING,
                    "on-demand",
                    ConfigDef.CaseInsensitiveValidString.in("on-demand", PROVISIONED),
                    LOW,
                    """
                    For init: how the new table is billed, on-demand or provisioned.""")
            .define(READ_UNITS, ConfigDef.Type.LONG, 25L, atLeast(1), LOW, """
                    For init: the read units of a provisioned table.""")
            .define(WRITE_UNITS, ConfigDef.Type.LONG, 25L, atLeast(1), LOW, """
                    For init: the write units of a provisioned table.""")
            .define(KMS_KEY, ConfigDef.Type.STRING, "", LOW, """
                    For init: the KMS key (id, ARN or alias) that the new table is encrypted with. Empty for the key that DynamoDB owns.""")
            .define(TAGS, ConfigDef.Type.LIST, List.of(), LOW, """
                    For init: tags of the table, each as key=value.""")
            .define(POINT_IN_TIME_RECOVERY, ConfigDef.Type.BOOLEAN, true, LOW, """
                    For init: whether point-in-time recovery is switched on.""")
            .define(DELETION_PROTECTION, ConfigDef.Type.BOOLEAN, true, LOW, """
                    For init: whether deletion protection is switched on.""")
            .define(MIGRATE_TIMEOUT, ConfigDef.Type.INT, 300_000, between(1, 3_600_000), LOW, """
                    For init: how long to wait for the table to become active, in milliseconds.""");

    private final Map<String, Object> values;

    /** @throws ConfigException when values contradict each other */
    public DynamoDbStoreConfig(Map<String, Object> values) {
        this.values = values;
        endpoint();
        tags();
        requireTogether(ACCESS_KEY_ID, SECRET_ACCESS_KEY);
        requireWith(SESSION_TOKEN, ACCESS_KEY_ID);
        requireWith(WEB_IDENTITY_TOKEN_FILE, ROLE_ARN);
        requireWith(ROLE_EXTERNAL_ID, ROLE_ARN);
        requireApart(PROFILE, ACCESS_KEY_ID);
        requireApart(PROFILE, WEB_IDENTITY_TOKEN_FILE);
        requireApart(ACCESS_KEY_ID, WEB_IDENTITY_TOKEN_FILE);
    }

    public String region() {
        return (String) value(REGION);
    }

    public String table() {
        return (String) value(TABLE);
    }

    Optional<URI> endpoint() {
        return text(ENDPOINT).map(text -> {
            try {
                URI uri = new URI(text);
                if (uri.getRawUserInfo() != null) {
                    throw badEndpoint(
                            "credentials do not belong into the URL, which is logged: use dynamodb.credentials.*");
                }
                if (uri.getHost() != null && List.of("http", "https").contains(uri.getScheme())) {
                    return uri;
                }
                throw badEndpoint("must be an http or https URL with a host");
            } catch (URISyntaxException e) {
                throw badEndpoint("must be a URL: " + e.getReason());
            }
        });
    }

    /** Without the value: it may hold a secret that does not belong there. */
    private static ConfigException badEndpoint(String why) {
        return new ConfigException("Invalid value for configuration " + ENDPOINT + ": " + why);
    }

    /** The SDK makes a host name of anything, and finds only with each request that there is none. */
    private static void checkRegion(String name, @Nullable Object region) {
        if (region != null && !REGION_CODE.matcher((String) region).matches()) {
            throw new ConfigException(name, region, "must be the code of a region, such as eu-central-1");
        }
    }

    /** A setting that may be empty. */
    public Optional<String> text(String name) {
        return Optional.of((String) value(name)).filter(text -> !text.isBlank());
    }

    Optional<String> secret(String name) {
        return Optional.of(((Password) value(name)).value()).filter(text -> !text.isEmpty());
    }

    public Duration duration(String name) {
        return Duration.ofMillis((Integer) value(name));
    }

    int number(String name) {
        return (Integer) value(name);
    }

    public boolean flag(String name) {
        return (Boolean) value(name);
    }

    public boolean provisioned() {
        return PROVISIONED.equalsIgnoreCase((String) value(BILLING));
    }

    public long units(String name) {
        return (Long) value(name);
    }

    /** By key, in order. */
    public Map<String, String> tags() {
        Map<String, String> tags = new TreeMap<>();
        for (Object tag : (List<?>) value(TAGS)) {
            String[] parts = tag.toString().split("=", 2);
            if (parts.length < 2 || parts[0].isBlank()) {
                throw new ConfigException(TAGS, tag, "must be key=value");
            }
            tags.put(parts[0].strip(), parts[1].strip());
        }
        return tags;
    }

    private Object value(String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    private boolean given(String name) {
        return value(name) instanceof Password
                ? secret(name).isPresent()
                : text(name).isPresent();
    }

    private void requireTogether(String one, String other) {
        requireWith(one, other);
        requireWith(other, one);
    }

    private void requireWith(String one, String other) {
        if (given(one) && !given(other)) {
            throw new ConfigException("'" + one + "' is set without '" + other + "': set both, or neither");
        }
    }

    private void requireApart(String one, String other) {
        if (given(one) && given(other)) {
            throw new ConfigException(
                    "'" + one + "' and '" + other + "' are both set: choose one way to get credentials");
        }
    }
}
