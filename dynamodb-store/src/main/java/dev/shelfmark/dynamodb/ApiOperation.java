package dev.shelfmark.dynamodb;

import static dev.shelfmark.dynamodb.ApiOperation.Scope.TABLE;
import static dev.shelfmark.dynamodb.ApiOperation.Scope.TABLE_AND_INDEXES;
import static dev.shelfmark.dynamodb.ApiOperation.Scope.TABLE_IN_TRANSACTIONS;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Every operation of DynamoDB that this module calls, who calls it and which rights it needs. The one list behind the policies; a
 * test holds it against the calls that are really made.
 */
enum ApiOperation {
    GET_ITEM("GetItem", TABLE, Set.of(Role.BROKER, Role.AUDITOR, Role.OWNER), "GetItem"),
    BATCH_GET_ITEM("BatchGetItem", TABLE, Set.of(Role.BROKER, Role.AUDITOR, Role.OWNER), "BatchGetItem"),
    QUERY("Query", TABLE_AND_INDEXES, Set.of(Role.BROKER, Role.AUDITOR, Role.OWNER), "Query"),
    DESCRIBE_TABLE("DescribeTable", TABLE, Set.of(Role.BROKER, Role.AUDITOR, Role.OWNER), "DescribeTable"),
    /** A transaction needs the rights of its actions: commits put and update. */
    TRANSACT_WRITE_ITEMS(
            "TransactWriteItems", TABLE_IN_TRANSACTIONS, Set.of(Role.BROKER, Role.OWNER), "PutItem", "UpdateItem"),
    PUT_ITEM("PutItem", TABLE, Set.of(Role.OWNER), "PutItem"),
    CREATE_TABLE("CreateTable", TABLE, Set.of(Role.OWNER), "CreateTable"),
    UPDATE_TABLE("UpdateTable", TABLE, Set.of(Role.OWNER), "UpdateTable"),
    DESCRIBE_TIME_TO_LIVE("DescribeTimeToLive", TABLE, Set.of(Role.OWNER), "DescribeTimeToLive"),
    UPDATE_TIME_TO_LIVE("UpdateTimeToLive", TABLE, Set.of(Role.OWNER), "UpdateTimeToLive"),
    DESCRIBE_CONTINUOUS_BACKUPS("DescribeContinuousBackups", TABLE, Set.of(Role.OWNER), "DescribeContinuousBackups"),
    UPDATE_CONTINUOUS_BACKUPS("UpdateContinuousBackups", TABLE, Set.of(Role.OWNER), "UpdateContinuousBackups"),
    LIST_TAGS("ListTagsOfResource", TABLE, Set.of(Role.OWNER), "ListTagsOfResource"),
    /** Creating a table with tags needs it, too. */
    TAG("TagResource", TABLE, Set.of(Role.OWNER), "TagResource");

    /** Who calls. */
    enum Role {
        /** A broker with the plugin. */
        BROKER,
        /** Somebody who only looks. */
        AUDITOR,
        /** Whoever runs the {@code shelfmark} command: creates the table, registers clusters, imports. */
        OWNER
    }

    /** What rights are given on. */
    enum Scope {
        TABLE,
        TABLE_AND_INDEXES,
        /** On the table, and only as part of a transaction. */
        TABLE_IN_TRANSACTIONS
    }

    /** As the SDK names it. */
    private final String sdkName;

    private final Scope scope;
    private final Set<Role> callers;
    private final Set<String> actions;

    ApiOperation(String sdkName, Scope scope, Set<Role> callers, String... actions) {
        this.sdkName = sdkName;
        this.scope = scope;
        this.callers = callers;
        this.actions = Set.of(actions);
    }

    /** The names of the operations that a role calls. */
    static Set<String> calledBy(Role role) {
        return Arrays.stream(values())
                .filter(operation -> operation.callers.contains(role))
                .map(operation -> operation.sdkName)
                .collect(Collectors.toSet());
    }

    /** The actions that a role needs on a scope, in IAM's words. */
    static Set<String> actions(Role role, Scope scope) {
        return Arrays.stream(values())
                .filter(operation -> operation.callers.contains(role) && operation.scope == scope)
                .flatMap(operation -> operation.actions.stream())
                .map(action -> "dynamodb:" + action)
                .collect(Collectors.toSet());
    }
}
