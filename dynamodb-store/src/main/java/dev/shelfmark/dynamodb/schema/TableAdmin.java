package dev.shelfmark.dynamodb.schema;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import dev.shelfmark.dynamodb.client.Requests;
import dev.shelfmark.dynamodb.client.Requests.Answer;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.StoreException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ContinuousBackupsDescription;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ListTagsOfResourceResponse;
import software.amazon.awssdk.services.dynamodb.model.PointInTimeRecoveryStatus;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.Tag;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** What an owner asks and changes about the table itself. */
public final class TableAdmin {

    private static final Duration POLL = Duration.ofMillis(500);

    private final String table;
    private final Requests requests;
    private final Deadline deadline;

    public TableAdmin(String table, Requests requests, Deadline deadline) {
        this.table = table;
        this.requests = requests;
        this.deadline = deadline;
    }

    /** The endpoint does not know an operation that DynamoDB has. */
    public static final class NotOffered extends RuntimeException {
        private static final long serialVersionUID = 1;

        private NotOffered(DynamoDbException cause) {
            super(cause);
        }
    }

    public Optional<TableDescription> describe() {
        return ask("describe-table", (client, limits) -> {
            try {
                return Optional.of(
                        client.describeTable(request -> request.tableName(table).overrideConfiguration(limits))
                                .table());
            } catch (ResourceNotFoundException e) {
                return Optional.empty();
            }
        });
    }

    public void create(CreateTableRequest creation) {
        change("create-table", (client, limits) -> {
            try {
                client.createTable(
                        creation.toBuilder().overrideConfiguration(limits).build());
            } catch (ResourceInUseException e) {
                // Another one creates it at this moment, or our own first attempt did. Either way it is waited for.
            }
        });
    }

    public TableDescription awaitActive() {
        while (true) {
            Optional<TableDescription> description = describe();
            if (description.isPresent() && description.get().tableStatus() == TableStatus.ACTIVE) {
                return description.get();
            }
            if (deadline.left(POLL).compareTo(POLL) < 0 || requests.waitUnlessClosed(POLL)) {
                throw new StoreException.Unavailable(
                        "DynamoDB table " + table + " is "
                                + description
                                        .map(TableDescription::tableStatusAsString)
                                        .orElse("not there yet")
                                + "; waited as long as " + DynamoDbStoreConfig.MIGRATE_TIMEOUT
                                + " allows; run the command again to go on",
                        null);
            }
        }
    }

    boolean expires() {
        TimeToLiveDescription ttl = ask(
                "describe-time-to-live",
                (client, limits) -> client.describeTimeToLive(
                                request -> request.tableName(table).overrideConfiguration(limits))
                        .timeToLiveDescription());
        if (ttl == null
                || !Set.of(TimeToLiveStatus.ENABLED, TimeToLiveStatus.ENABLING).contains(ttl.timeToLiveStatus())) {
            return false;
        }
        if (!ItemKeys.EXPIRES_AT.equals(ttl.attributeName())) {
            throw new StoreException.SchemaMismatch(
                    "DynamoDB removes items of table " + table + " by the attribute " + ttl.attributeName()
                            + ", not by "
                            + ItemKeys.EXPIRES_AT + ": switch its time to live off, and run 'shelfmark init' once"
                            + " DynamoDB takes another change of it",
                    null);
        }
        return true;
    }

    void letExpire() {
        change(
                "update-time-to-live",
                (client, limits) -> client.updateTimeToLive(request -> request.tableName(table)
                        .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(ItemKeys.EXPIRES_AT))
                        .overrideConfiguration(limits)));
    }

    boolean recoversToPointInTime() {
        ContinuousBackupsDescription backups = ask(
                "describe-continuous-backups",
                (client, limits) -> client.describeContinuousBackups(
                                request -> request.tableName(table).overrideConfiguration(limits))
                        .continuousBackupsDescription());
        return backups != null
                && backups.pointInTimeRecoveryDescription() != null
                && backups.pointInTimeRecoveryDescription().pointInTimeRecoveryStatus()
                        == PointInTimeRecoveryStatus.ENABLED;
    }

    void recoverToPointInTime() {
        change(
                "update-continuous-backups",
                (client, limits) -> client.updateContinuousBackups(request -> request.tableName(table)
                        .pointInTimeRecoverySpecification(recovery -> recovery.pointInTimeRecoveryEnabled(true))
                        .overrideConfiguration(limits)));
    }

    boolean isProtected() {
        return describe().map(TableDescription::deletionProtectionEnabled).orElse(false);
    }

    void protect() {
        change(
                "update-table",
                (client, limits) -> client.updateTable(request ->
                        request.tableName(table).deletionProtectionEnabled(true).overrideConfiguration(limits)));
        awaitActive();
    }

    boolean hasTags(List<Tag> wanted) {
        return tags().containsAll(wanted);
    }

    private Set<Tag> tags() {
        Set<Tag> tags = new HashSet<>();
        String arn = arn();
        String next = null;
        do {
            String from = next;
            ListTagsOfResourceResponse page = ask(
                    "list-tags-of-resource",
                    (client, limits) -> client.listTagsOfResource(
                            request -> request.resourceArn(arn).nextToken(from).overrideConfiguration(limits)));
            tags.addAll(page.tags());
            next = page.nextToken();
        } while (next != null);
        return tags;
    }

    void tag(List<Tag> tags) {
        String arn = arn();
        change(
                "tag-resource",
                (client, limits) -> client.tagResource(
                        request -> request.resourceArn(arn).tags(tags).overrideConfiguration(limits)));
    }

    /** Writes the schema item if there is none. */
    public void sign(TableSchema schema) {
        change("put-schema", (client, limits) -> {
            try {
                client.putItem(request -> request.tableName(table)
                        .item(schema.toItem())
                        .conditionExpression("attribute_not_exists(" + ItemKeys.PK + ")")
                        .overrideConfiguration(limits));
            } catch (ConditionalCheckFailedException e) {
                // Another one was faster, or our own first attempt; what is there is read again.
            }
        });
    }

    private String arn() {
        return awaitActive().tableArn();
    }

    @FunctionalInterface
    private interface Question<R> {
        R ask(DynamoDbClient client, Consumer<AwsRequestOverrideConfiguration.Builder> limits);
    }

    @FunctionalInterface
    private interface Change {
        void make(DynamoDbClient client, Consumer<AwsRequestOverrideConfiguration.Builder> limits);
    }

    private <R> R ask(String operation, Question<R> question) {
        Call call = Call.reading(operation, operation, deadline);
        return requests.send(call, (client, limits, unused) -> {
            try {
                return new Answer<>(question.ask(client, limits));
            } catch (DynamoDbException e) {
                throw notOffered(e);
            }
        });
    }

    /** Every change here may be repeated, so that a lost answer is no reason to stop. */
    private void change(String operation, Change change) {
        ask(operation, (client, limits) -> {
            change.make(client, limits);
            return true;
        });
    }

    private static RuntimeException notOffered(DynamoDbException e) {
        boolean unknown = e.awsErrorDetails() != null
                && "UnknownOperationException".equals(e.awsErrorDetails().errorCode());
        return unknown ? new NotOffered(e) : e;
    }
}
