package dev.shelfmark.quickstart;

import dev.shelfmark.compat.broker.CatalogueServer;
import dev.shelfmark.compat.broker.DynamoDbCatalogue;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.dynamodb.NoEmulatorException;
import java.nio.file.Path;

/** A store that can be shown, and what differs between them for whoever looks on. Named as {@code --store} names it. */
enum ShownStore {
    jdbc("PostgreSQL", "Prepare the schema", "rows of table shelfmark.segment") {
        @Override
        CatalogueServer start(Path workspace, boolean lasting) {
            return JdbcCatalogue.startEmpty(workspace.resolve("postgres"));
        }

        @Override
        String login() {
            return "users owner, broker and auditor; the passwords are the same";
        }
    },
    dynamodb("DynamoDB", "Create the table", "segments in table shelfmark") {
        @Override
        CatalogueServer start(Path workspace, boolean lasting) {
            try {
                return DynamoDbCatalogue.startEmpty(workspace.resolve("dynamodb"), "shelfmark", lasting);
            } catch (NoEmulatorException e) {
                throw new CannotBegin(e.remedy());
            }
        }

        @Override
        String login() {
            return "region eu-central-1, any credentials";
        }
    };

    private final String product;
    private final String preparation;
    private final String contents;

    ShownStore(String product, String preparation, String contents) {
        this.product = product;
        this.preparation = preparation;
        this.contents = contents;
    }

    /** Starts a server that works in the workspace. */
    abstract CatalogueServer start(Path workspace, boolean lasting);

    /** How to log in there. */
    abstract String login();

    /** Whose server it is. */
    String product() {
        return product;
    }

    /** What {@code shelfmark init} does first. */
    String preparation() {
        return preparation;
    }

    /** What a partition's records are there. */
    String contents() {
        return contents;
    }
}
