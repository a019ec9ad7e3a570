package dev.shelfmark.tool.config;

import dev.shelfmark.kafka.NearestName;
import dev.shelfmark.kafka.Placeholders;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The store that a configuration names, ready to be opened. */
public final class Target {

    private static final String STORE = "store";
    // The command never purges; the brokers' setting decides what a purge removes. It makes no history either.
    private static final Retention NO_PURGE = new Retention(Duration.ofDays(36_500), Duration.ZERO);

    private final StoreProvider provider;
    private final StoreContext context;

    private Target(StoreProvider provider, StoreContext context) {
        this.provider = provider;
        this.context = context;
    }

    /** Finds the provider and checks every setting of its prefix. */
    public static Target of(ConfigFile file, Credentials credentials, List<StoreProvider> providers) {
        StoreProvider provider = provider(file, providers);
        Map<String, Object> settings = ownSettings(file, provider);
        override(settings, provider, "user", credentials.user());
        override(settings, provider, "password", credentials.password());
        try {
            Placeholders.refuseUnresolved(settings, "");
            Map<String, Object> parsed = provider.configDef().parse(settings);
            return new Target(provider, new StoreContext(parsed, NO_PURGE, "shelfmark-command", StoreListener.NONE));
        } catch (ConfigException e) {
            throw ToolFailure.usage(file.path() + ": " + e.getMessage(), e);
        }
    }

    private static StoreProvider provider(ConfigFile file, List<StoreProvider> providers) {
        List<String> names =
                providers.stream().map(StoreProvider::name).sorted().toList();
        Object chosen = file.settings().get(STORE);
        if (chosen == null) {
            String meant = NearestName.of(STORE, file.settings().keySet())
                    .map(key -> " (it has '" + key + "')")
                    .orElse("");
            throw ToolFailure.usage(file.path() + " does not say which store: set '" + STORE + "' (with the prefix "
                    + "'rlmm.config.' in a broker's file) to one of " + names + meant);
        }
        return providers.stream()
                .filter(provider -> provider.name().equals(chosen))
                .findFirst()
                .orElseThrow(() -> ToolFailure.usage(
                        file.path() + " chooses the store '" + chosen + "'; this command knows " + names));
    }

    private static Map<String, Object> ownSettings(ConfigFile file, StoreProvider provider) {
        String prefix = provider.name() + ".";
        Map<String, Object> own = new TreeMap<>();
        ConfigDef known = provider.configDef();
        file.settings().forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                if (!known.names().contains(key)) {
                    String meant = NearestName.of(key, known.names())
                            .map(nearest -> "; did you mean '" + nearest + "'?")
                            .orElse("; the " + provider.name() + " store has " + known.names());
                    throw ToolFailure.usage(file.path() + ": unknown key '" + key + "'" + meant);
                }
                own.put(key, value);
            }
        });
        return own;
    }

    private static void override(
            Map<String, Object> settings, StoreProvider provider, String what, Optional<String> value) {
        String key = provider.name() + "." + what;
        value.ifPresent(given -> {
            if (!provider.configDef().names().contains(key)) {
                throw ToolFailure.usage("the " + provider.name() + " store takes no " + what
                        + ": leave out the option or the environment variable that gives one");
            }
            settings.put(key, given);
        });
    }

    /** With the owner's rights; nothing is connected yet. */
    public StoreAdministration administration() {
        return opened(() -> provider.administration(context));
    }

    /** With a broker's rights; nothing is connected yet. */
    public CatalogueStore store() {
        return opened(() -> provider.open(context));
    }

    /** Everything that is kept, with an auditor's rights; nothing is connected yet. */
    public CatalogueListing listing() {
        return opened(() -> provider.listing(context));
    }

    private static <T> T opened(Supplier<T> opening) {
        try {
            return opening.get();
        } catch (ConfigException e) {
            throw ToolFailure.usage("the store's settings do not fit together: " + e.getMessage(), e);
        }
    }
}
