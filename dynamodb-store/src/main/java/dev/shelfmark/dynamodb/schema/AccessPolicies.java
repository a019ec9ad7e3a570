package dev.shelfmark.dynamodb.schema;

import dev.shelfmark.dynamodb.client.ApiOperation;
import dev.shelfmark.dynamodb.client.ApiOperation.Role;
import dev.shelfmark.dynamodb.client.ApiOperation.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** IAM policies with the least rights that each role needs, generated from what the code calls ({@link ApiOperation}). */
public final class AccessPolicies {

    private AccessPolicies() {}

    /** The policies as lines for people, each under a heading. */
    public static List<String> lines(String tableArn) {
        List<String> lines = new ArrayList<>();
        for (Role role : Role.values()) {
            lines.add("IAM policy for the " + role.name().toLowerCase(Locale.ROOT) + ":");
            lines.addAll(policy(role, tableArn).lines().toList());
        }
        return lines;
    }

    public static String policy(Role role, String tableArn) {
        List<String> statements = new ArrayList<>();
        for (Scope scope : Scope.values()) {
            Set<String> actions = ApiOperation.actions(role, scope);
            if (!actions.isEmpty()) {
                statements.add(statement(scope, actions, tableArn));
            }
        }
        return """
                {
                  "Version": "2012-10-17",
                  "Statement": [
                %s
                  ]
                }
                """.formatted(String.join(",\n", statements));
    }

    private static String statement(Scope scope, Set<String> actions, String tableArn) {
        String resources = scope == Scope.TABLE_AND_INDEXES
                ? "\"" + tableArn + "\", \"" + tableArn + "/index/*\""
                : "\"" + tableArn + "\"";
        String condition = scope == Scope.TABLE_IN_TRANSACTIONS
                ? ",\n  \"Condition\": {\"ForAnyValue:StringEquals\":"
                        + " {\"dynamodb:EnclosingOperation\": [\"TransactWriteItems\"]}}"
                : "";
        return """
                {
                  "Effect": "Allow",
                  "Action": [%s],
                  "Resource": [%s]%s
                }""".formatted(quoted(actions), resources, condition).indent(4).stripTrailing();
    }

    private static String quoted(Set<String> actions) {
        return actions.stream().sorted().map(action -> '"' + action + '"').collect(Collectors.joining(", "));
    }
}
