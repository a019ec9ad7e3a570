package dev.shelfmark.dynamodb.client;

import static dev.shelfmark.dynamodb.client.ApiOperation.Scope.TABLE;
import static dev.shelfmark.dynamodb.client.ApiOperation.Scope.TABLE_AND_INDEXES;
import static dev.shelfmark.dynamodb.client.ApiOperation.Scope.TABLE_IN_TRANSACTIONS;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An operation of DynamoDB that this module calls. {@link #ALL} is the one list behind the policies; a test holds it against the
 * calls that are really made.
 *
 * @param sdkName as the SDK names it
 * @param scope what the rights are given on
 * @param callers who calls it
 * @param actions the rights that it needs, in IAM's words
 */
public record ApiOperation(String sdkName, Scope scope, Set<Role> callers, Set<String> actions) {

    private static final Set<Role> EVERYBODY = Set.of(Role.values());
    private static final Set<Role> WRITERS = Set.of(Role.BROKER, Role.OWNER);
    private static final Set<Role> OWNER = Set.of(Role.OWNER);

    static final List<ApiOperation> ALL = List.of(
            of("GetItem", TABLE, EVERYBODY),
            of("BatchGetItem", TABLE, EVERYBODY),
            of("Query", TABLE_AND_INDEXES, EVERYBODY),
            of("DescribeTable", TABLE, EVERYBODY),
            // A transaction needs the rights of its actions: commits put and update, imports also check and delete.
            new ApiOperation(
                    "TransactWriteItems",
                    TABLE_IN_TRANSACTIONS,
                    WRITERS,
                    Set.of("dynamodb:PutItem", "dynamodb:UpdateItem")),
            new ApiOperation(
                    "TransactWriteItems",
                    TABLE_IN_TRANSACTIONS,
                    OWNER,
                    Set.of("dynamodb:ConditionCheckItem", "dynamodb:DeleteItem")),
            of("PutItem", TABLE, OWNER),
            of("DeleteItem", TABLE, OWNER),
            of("BatchWriteItem", TABLE, OWNER),
            of("CreateTable", TABLE, OWNER),
            of("UpdateTable", TABLE, OWNER),
            of("DescribeTimeToLive", TABLE, OWNER),
            of("UpdateTimeToLive", TABLE, OWNER),
            of("DescribeContinuousBackups", TABLE, OWNER),
            of("UpdateContinuousBackups", TABLE, OWNER),
            of("ListTagsOfResource", TABLE, OWNER),
            // Creating a table with tags needs it, too.
            of("TagResource", TABLE, OWNER));

    /** Who calls. */
    public enum Role {
        /** A broker with the plugin. */
        BROKER,
        /** Somebody who only looks. */
        AUDITOR,
        /** Whoever runs the {@code shelfmark} command: creates the table, registers clusters, imports. */
        OWNER
    }

    /** What rights are given on. */
    public enum Scope {
        TABLE,
        TABLE_AND_INDEXES,
        /** On the table, and only as part of a transaction. */
        TABLE_IN_TRANSACTIONS
    }

    private static ApiOperation of(String name, Scope scope, Set<Role> callers) {
        return new ApiOperation(name, scope, callers, Set.of("dynamodb:" + name));
    }

    /** The names of the operations that a role calls. */
    public static Set<String> calledBy(Role role) {
        return ALL.stream()
                .filter(operation -> operation.callers.contains(role))
                .map(ApiOperation::sdkName)
                .collect(Collectors.toSet());
    }

    /** The actions that a role needs on a scope. */
    public static Set<String> actions(Role role, Scope scope) {
        return ALL.stream()
                .filter(operation -> operation.callers.contains(role) && operation.scope == scope)
                .flatMap(operation -> operation.actions.stream())
                .collect(Collectors.toSet());
    }
}
