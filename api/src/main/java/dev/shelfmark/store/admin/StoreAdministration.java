package dev.shelfmark.store.admin;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.StoreException;
import java.util.List;
import java.util.Optional;

/** What an operator does with a back end, with its owner's rights. Never used by a broker. Fails as {@link CatalogueStore}. */
public interface StoreAdministration extends AutoCloseable {

    /**
     * Creates the schema or brings it up to this build's version. Does nothing when it is; a run that was cut short is finished
     * by the next. Two at once: one waits for the other.
     *
     * @return what was done, a line each, for people
     * @throws StoreException.SchemaMismatch when the schema is newer than this build
     */
    List<String> migrate();

    /** Where the schema stands. */
    SchemaStatus schema();

    /**
     * The least rights that brokers, auditors and the owner need on what {@link #migrate} made, for people to apply where they keep
     * rights, such as IAM policies; a line each. Empty when {@link #migrate} grants them itself.
     */
    List<String> rights();

    /** Every cluster's record, by cluster id. */
    List<ClusterRecord> clusters();

    /** The record of a cluster, as {@link CatalogueStore#cluster}. */
    Optional<ClusterRecord> cluster(String clusterId);

    /**
     * Writes a cluster's record if the one there is of the revision before it ({@code next.revision() - 1}; 0 stands for none).
     *
     * @return false when it is of another revision; nothing is changed then
     */
    boolean putCluster(ClusterRecord next);

    /** The last heartbeat of every broker of a cluster that ever wrote one, by broker id. Sees each that was acknowledged before the call. */
    List<BrokerHeartbeat> heartbeats(String clusterId);

    @Override
    void close();

    /**
     * Where a schema stands.
     *
     * @param current the version that is there, or 0 for none
     * @param supported this build's version
     * @param pending what {@link #migrate} would do, a line each
     */
    record SchemaStatus(int current, int supported, List<String> pending) {
        public SchemaStatus {
            pending = List.copyOf(pending);
        }
    }
}
