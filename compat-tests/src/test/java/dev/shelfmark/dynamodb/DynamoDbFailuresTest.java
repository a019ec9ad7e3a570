package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.dynamodb.client.DynamoDbStoreConfig;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What DynamoDB's refusals and lost answers become. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(240)
final class DynamoDbFailuresTest {

    private static final CommitResult COMMITTED = new CommitResult.Committed();
    private static final CommitResult CONFLICT = new CommitResult.VersionConflict();

    private final DynamoDbFixture dynamoDb = new DynamoDbFixture();
    private final List<String> retries = new ArrayList<>();
    private final PartitionKey key = Commits.partition();
    private final PartitionCommit first =
            Commits.commit(0, 1, Map.of(), Commits.segment(1, 0, SegmentState.COPY_SEGMENT_STARTED, 1));

    @BeforeAll
    void createTable() {
        dynamoDb.administration(Map.of()).migrate();
    }

    @AfterAll
    void close() throws Exception {
        dynamoDb.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ProvisionedThroughputExceededException",
                "ThrottlingException",
                "RequestLimitExceeded",
                "TransactionInProgressException"
            })
    void throttledIsTriedAgain(String code) {
        ScriptedAnswers answers = new ScriptedAnswers();
        PartitionKey key = Commits.partition();
        answers.fail("GetItem", 400, code);

        assertThat(version(store(answers), key)).isZero();

        assertThat(retries).containsExactly("read.head " + code);
        assertThat(answers.calls("GetItem")).isEqualTo(2);
    }

    @Test
    void throttledForGoodIsUnavailable() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers);
        for (int i = 0; i < 8; i++) {
            answers.cancel("ThrottlingError", "None", "None");
        }

        assertThatThrownBy(() -> store.commit(Commits.partition(), first))
                .isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("busy (ThrottlingError) after 8 attempts");
    }

    @Test
    void conflictingTransactionIsTriedAgain() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers);
        PartitionKey key = Commits.partition();
        answers.cancel("None", "TransactionConflict", "None");

        assertThat(store.commit(key, first)).isEqualTo(COMMITTED);
        assertThat(retries).containsExactly("commit TransactionConflict");
    }

    @Test
    void appliedWithoutAnAnswerIsCommittedOnce() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers);
        PartitionKey key = Commits.partition();
        answers.fail("TransactWriteItems", 500, "InternalServerError");

        assertThat(store.commit(key, first)).isEqualTo(COMMITTED);

        assertThat(answers.calls("TransactWriteItems")).isEqualTo(2);
        assertThat(version(store, key)).isEqualTo(1);
    }

    @Test
    void unclearForGoodIsUnknown() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers);
        PartitionKey key = Commits.partition();
        for (int i = 0; i < 8; i++) {
            answers.fail("TransactWriteItems", 500, "InternalServerError");
        }

        assertThatThrownBy(() -> store.commit(key, first))
                .isInstanceOf(StoreException.OutcomeUnknown.class)
                .hasMessageContaining("read the partition");
        assertThat(version(store, key)).as("it was applied").isEqualTo(1);
    }

    /** DynamoDB says so of a request that it has already: somebody between us has sent it twice. */
    @Test
    void stillInProgressForGoodIsUnknown() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers);
        PartitionKey key = Commits.partition();
        for (int i = 0; i < 8; i++) {
            answers.fail("TransactWriteItems", 400, "TransactionInProgressException");
        }

        assertThatThrownBy(() -> store.commit(key, first)).isInstanceOf(StoreException.OutcomeUnknown.class);
        assertThat(version(store, key)).as("it was applied").isEqualTo(1);
    }

    /** A table of another account is named by its ARN. */
    @Test
    void theTableIsTheOneThatWasAskedByWhateverNameItAnswers() {
        CatalogueStore store = dynamoDb.store(StoreListener.NONE, new TableByArn(dynamoDb.table()));
        PartitionKey key = Commits.partition();
        assertThat(store.commit(key, first)).isEqualTo(COMMITTED);
        List<SegmentRecord> found = new ArrayList<>();

        store.read(key, new Selection.ById(Set.of(first.segments().get(0).segmentId())), found::add);

        assertThat(found).isEqualTo(first.segments());
    }

    @Test
    void throttledAfterAnUnclearAttemptIsStillUnknown() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers);
        answers.fail("TransactWriteItems", 500, "InternalServerError");
        answers.fail("TransactWriteItems", 400, "AccessDeniedException");

        assertThatThrownBy(() -> store.commit(Commits.partition(), first))
                .isInstanceOf(StoreException.OutcomeUnknown.class);
    }

    /** A server that does not honour the token: the failed condition of the repeat is our own first attempt's doing. */
    @Test
    void ownFirstAttemptIsRecognisedWithoutTheToken() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers, new TokenDropper());
        PartitionKey key = Commits.partition();
        answers.fail("TransactWriteItems", 500, "InternalServerError");

        assertThat(store.commit(key, first)).isEqualTo(COMMITTED);
        assertThat(version(store, key)).isEqualTo(1);
    }

    @Test
    void anotherCommitOnTopOfAnUnclearAttemptIsUnknown() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers, new TokenDropper());
        CatalogueStore other = dynamoDb.store(StoreListener.NONE);
        PartitionKey key = Commits.partition();
        answers.fail("TransactWriteItems", 500, "InternalServerError");
        answers.before(() -> answers.before(() -> other.commit(key, Commits.commit(1, 1, Map.of()))));

        assertThatThrownBy(() -> store.commit(key, first)).isInstanceOf(StoreException.OutcomeUnknown.class);
    }

    @Test
    void conflictAfterAnAttemptThatNeverWasAppliedIsAConflict() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers);
        PartitionKey key = Commits.partition();
        assertThat(store.commit(key, first)).isEqualTo(COMMITTED);
        answers.cancel("TransactionConflict", "None", "None");

        assertThat(store.commit(key, first)).isEqualTo(CONFLICT);
    }

    @ParameterizedTest
    @CsvSource({
        "400, AccessDeniedException",
        "400, ExpiredTokenException",
        "400, UnrecognizedClientException",
        "400, MissingAuthenticationTokenException",
        "403, SomethingElse"
    })
    void refusalsAreAccessDenied(int status, String code) {
        ScriptedAnswers answers = new ScriptedAnswers();
        answers.fail("GetItem", status, code);

        assertThatThrownBy(() -> version(store(answers), key))
                .isInstanceOf(StoreException.AccessDenied.class)
                .hasMessageContaining(code)
                .hasMessageNotContaining("a secret of no worth");
    }

    @Test
    void aClockThatIsOffIsCorrectedOrNamed() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers);
        answers.fail("GetItem", 400, "RequestTimeTooSkewed");
        assertThat(version(store, Commits.partition())).isZero();

        for (int i = 0; i < 8; i++) {
            answers.fail("GetItem", 400, "RequestTimeTooSkewed");
        }
        assertThatThrownBy(() -> version(store, key))
                .isInstanceOf(StoreException.AccessDenied.class)
                .hasMessageContaining("clock");
    }

    @Test
    void unprocessedKeysAreAskedForAgain() {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = store(answers);
        PartitionKey key = Commits.partition();
        store.commit(key, first);
        String open = "{\"Responses\":{},\"UnprocessedKeys\":{\"" + dynamoDb.table()
                + "\":{\"ConsistentRead\":true,\"Keys\":["
                + "{\"pk\":{\"S\":\"" + ItemKeys.partition(key) + "\"},\"sk\":{\"S\":\""
                + ItemKeys.segment(first.segments().get(0).segmentId()) + "\"}}]}}}";
        answers.answer("BatchGetItem", open);

        List<Object> found = new ArrayList<>();
        store.read(
                key, new Selection.ById(java.util.Set.of(first.segments().get(0).segmentId())), found::add);

        assertThat(found).isEqualTo(first.segments());
        assertThat(answers.calls("BatchGetItem")).isEqualTo(2);
    }

    @Test
    void interruptedIsUnavailableAndKeepsTheFlag() {
        CatalogueStore store = dynamoDb.store(StoreListener.NONE);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> version(store, key)).isInstanceOf(StoreException.Unavailable.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void closedIsUnavailable() {
        CatalogueStore store = dynamoDb.store(StoreListener.NONE);
        store.close();
        store.close();

        assertThatThrownBy(() -> version(store, key))
                .isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("closed");
    }

    @Test
    void nobodyListeningIsUnavailableEvenForACommit() {
        CatalogueStore store = dynamoDb.store(dynamoDb.context(
                StoreListener.NONE,
                Map.of(DynamoDbStoreConfig.ENDPOINT, "http://127.0.0.1:1", DynamoDbStoreConfig.MAX_ATTEMPTS, "2")));

        assertThatThrownBy(() -> store.commit(key, first))
                .isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("not reached");
    }

    @Test
    void tooLargeIsUnsupported() {
        CatalogueStore store = dynamoDb.store(StoreListener.NONE);
        PartitionKey key = Commits.partition();
        PartitionHead head = first.head();
        PartitionCommit huge = new PartitionCommit(
                0,
                new PartitionHead(1, "x".repeat(500_000), 0, 0, head.deletion(), new java.util.TreeMap<>()),
                List.of(),
                List.of());

        assertThatThrownBy(() -> store.commit(key, huge)).isInstanceOf(StoreException.Unsupported.class);
        assertThat(version(store, key)).isZero();
        assertThatThrownBy(() -> store.cluster("c".repeat(1025))).isInstanceOf(StoreException.Unsupported.class);
    }

    @Test
    void anUnknownStateIsCorrupt() {
        CatalogueStore store = dynamoDb.store(StoreListener.NONE);
        PartitionKey key = Commits.partition();
        store.commit(key, first);
        DynamoDbClient client = dynamoDb.client();
        client.updateItem(request -> request.tableName(dynamoDb.table())
                .key(ItemKeys.of(
                        ItemKeys.partition(key),
                        ItemKeys.segment(first.segments().get(0).segmentId())))
                .updateExpression("SET #state = :state")
                .expressionAttributeNames(Map.of("#state", "state"))
                .expressionAttributeValues(Map.of(":state", AttributeValue.fromS("COPY_SEGMENT_PAUSED"))));

        assertThatThrownBy(() -> store.read(key, new Selection.All(), unused -> {}))
                .isInstanceOf(StoreException.Corrupt.class)
                .hasMessageContaining("COPY_SEGMENT_PAUSED");
    }

    private CatalogueStore store(software.amazon.awssdk.core.interceptor.ExecutionInterceptor... interceptors) {
        retries.clear();
        return dynamoDb.store(
                new StoreListener() {
                    @Override
                    public void requested(String operation, long rows, long nanos) {}

                    @Override
                    public void retried(String operation, String reason) {
                        retries.add(operation + " " + reason);
                    }
                },
                interceptors);
    }

    private static long version(CatalogueStore store, PartitionKey key) {
        return store.read(key, new Selection.ChangedSince(Long.MAX_VALUE - 1), unused -> {})
                .version();
    }

    /** As something between us and DynamoDB may answer. */
    @ParameterizedTest
    @ValueSource(strings = {"<html>sign in</html>", "", "null", "[]"})
    void anAnswerThatIsNotDynamoDbsIsNoAnswer(String body) {
        ScriptedAnswers answers = new ScriptedAnswers();
        CatalogueStore store = dynamoDb.store(
                dynamoDb.context(StoreListener.NONE, Map.of(DynamoDbStoreConfig.MAX_ATTEMPTS, "1")), answers);
        PartitionKey key = Commits.partition();
        store.commit(key, Commits.commit(0, 0, Map.of()));

        answers.answer("GetItem", body);
        assertThatThrownBy(() -> store.read(key, new Selection.ChangedSince(0), unused -> {}))
                .as("get")
                .isInstanceOf(StoreException.Unavailable.class);
        answers.answer("Query", body);
        assertThatThrownBy(() -> store.read(key, new Selection.All(), unused -> {}))
                .as("query")
                .isInstanceOf(StoreException.Unavailable.class);
        answers.answer("TransactWriteItems", body);
        assertThatThrownBy(() -> store.commit(key, Commits.commit(1, 0, Map.of())))
                .as("transaction")
                .isInstanceOf(StoreException.OutcomeUnknown.class);
    }

    /** The SDK ends a request by interrupting the thread that waits for it, and takes the interrupt back afterwards: not somebody else's. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 60_000})
    void anInterruptWhileAnAnswerIsWaitedForIsNotForgotten(int requestTimeout) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CatalogueStore store = dynamoDb.store(dynamoDb.context(
                    StoreListener.NONE,
                    Map.of(
                            DynamoDbStoreConfig.ENDPOINT,
                            "http://127.0.0.1:" + silent.getLocalPort(),
                            DynamoDbStoreConfig.REQUEST_TIMEOUT,
                            Integer.toString(requestTimeout),
                            DynamoDbStoreConfig.CALL_TIMEOUT,
                            "3000")));
            PartitionKey key = Commits.partition();
            assertThatThrownBy(() -> interrupted(() -> store.read(key, new Selection.HeadOnly(), unused -> {})))
                    .isInstanceOf(StoreException.Unavailable.class);
            assertThatThrownBy(() -> interrupted(() -> store.commit(key, Commits.commit(0, 0, Map.of()))))
                    .isInstanceOf(StoreException.OutcomeUnknown.class);
        }
    }

    /** Calls on a thread that is interrupted while it waits; its flag must be set afterwards. */
    private static void interrupted(Runnable call) throws Exception {
        AtomicReference<RuntimeException> thrown = new AtomicReference<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            try {
                call.run();
            } catch (RuntimeException e) {
                thrown.set(e);
            }
            flag.set(Thread.currentThread().isInterrupted());
        });
        thread.start();
        Thread.sleep(500);
        thread.interrupt();
        thread.join(20_000);
        assertThat(thread.isAlive()).isFalse();
        assertThat(flag).as("interrupt flag").isTrue();
        RuntimeException failure = thrown.get();
        if (failure != null) {
            throw failure;
        }
    }
}
