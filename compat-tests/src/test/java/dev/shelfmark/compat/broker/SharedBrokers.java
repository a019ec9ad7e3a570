package dev.shelfmark.compat.broker;

import dev.shelfmark.compat.SkippedBackEnds;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A store's {@link TwoBrokers} for the nested classes of a test class: started for the first test that asks for them, closed after
 * the class; their logs are printed after a failure. Nothing is started when the store's tests are skipped.
 */
final class SharedBrokers implements BeforeAllCallback, ParameterResolver, AfterTestExecutionCallback {

    private final String backEnd;
    private final Supplier<CatalogueServer> store;

    /**
     * For one store.
     *
     * @param backEnd as {@code -Dcompat.skip} names it
     */
    SharedBrokers(String backEnd, Supplier<CatalogueServer> store) {
        this.backEnd = backEnd;
        this.store = store;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        SkippedBackEnds.abortIfNamed(backEnd);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TwoBrokers.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return outermost(context)
                .getStore(Namespace.create(SharedBrokers.class))
                .computeIfAbsent(TwoBrokers.class, key -> TwoBrokers.start(store), TwoBrokers.class);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        TwoBrokers brokers = outermost(context)
                .getStore(Namespace.create(SharedBrokers.class))
                .get(TwoBrokers.class, TwoBrokers.class);
        if (brokers != null && context.getExecutionException().isPresent()) {
            brokers.cluster().printLogs(System.err);
        }
    }

    /** The test class that the others are nested in. */
    private static ExtensionContext outermost(ExtensionContext context) {
        ExtensionContext found = context;
        while (!found.getEnclosingTestClasses().isEmpty()) {
            found = found.getParent().orElseThrow();
        }
        return found;
    }
}
