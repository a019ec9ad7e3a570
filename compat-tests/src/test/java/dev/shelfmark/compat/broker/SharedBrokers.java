package dev.shelfmark.compat.broker;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands {@link TwoBrokers} to tests: started for the first, closed after the last; their logs are printed after a failure. */
final class SharedBrokers implements ParameterResolver, AfterTestExecutionCallback {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TwoBrokers.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return shared(context);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            shared(context).cluster().printLogs(System.err);
        }
    }

    private static TwoBrokers shared(ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(SharedBrokers.class))
                .computeIfAbsent(TwoBrokers.class, key -> TwoBrokers.start(), TwoBrokers.class);
    }
}
