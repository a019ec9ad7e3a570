package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.dynamodb.client.ApiOperation.Role;
import dev.shelfmark.dynamodb.schema.AccessPolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The policies, and the page that shows them. */
final class AccessPoliciesTest {

    private static final String TABLE = "arn:aws:dynamodb:eu-central-1:123456789012:table/shelfmark";
    private static final Path PAGE = Path.of("..", "docs", "dynamodb.md");
    private static final String BEGIN = "<!-- policies: made by AccessPoliciesTest -->\n";
    private static final String END = "<!-- end of policies -->";
    private static final String WRITE = "shelfmark.docs.write";

    @Test
    void thePageShowsThem() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        StringBuilder policies = new StringBuilder("\n");
        for (Role role : Role.values()) {
            policies.append("**")
                    .append(role.name().charAt(0))
                    .append(role.name().substring(1).toLowerCase(Locale.ROOT))
                    .append("**\n\n```json\n")
                    .append(AccessPolicies.policy(role, TABLE))
                    .append("```\n\n");
        }
        String right = page.substring(0, begin) + policies + page.substring(end);
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, right);
        }
        assertThat(PAGE)
                .as("out of date: run this test with -D" + WRITE + "=true")
                .hasContent(right);
    }

    @Test
    void anAuditorChangesNothing() {
        assertThat(AccessPolicies.policy(Role.AUDITOR, TABLE))
                .doesNotContain("Put", "Update", "Delete", "Write", "Create", "Tag");
    }

    @Test
    void aBrokerWritesInTransactionsOnlyAndNeverTouchesTheTable() {
        String policy = AccessPolicies.policy(Role.BROKER, TABLE);
        assertThat(policy).doesNotContain("CreateTable", "UpdateTable", "DeleteItem", "Scan");
        String write = policy.substring(policy.indexOf("dynamodb:PutItem"));
        assertThat(write).contains("EnclosingOperation", "TransactWriteItems");
        assertThat(policy.indexOf("dynamodb:PutItem")).isEqualTo(policy.lastIndexOf("dynamodb:PutItem"));
    }

    @Test
    void queriesReachTheIndexes() {
        for (Role role : Role.values()) {
            assertThat(AccessPolicies.policy(role, TABLE))
                    .contains("\"Action\": [\"dynamodb:Query\"]", TABLE + "/index/*");
        }
    }
}
