package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.errors.TimeoutException;

/** Fails now and then, as brokers that do not answer in time. */
class FaultyReader implements MetadataReader {

    private final MetadataReader reader;
    private final Random random;
    private final int oneIn;

    FaultyReader(MetadataReader reader, Random random, int oneIn) {
        this.reader = reader;
        this.random = random;
        this.oneIn = oneIn;
    }

    @Override
    public void seek(Map<Integer, Long> offsets) {
        reader.seek(offsets);
    }

    @Override
    public List<MetadataRecord> poll(Duration wait) {
        if (random.nextInt(oneIn) == 0) {
            throw ToolFailure.kafka("the brokers are away", new TimeoutException("away"));
        }
        return reader.poll(wait);
    }

    @Override
    public Map<Integer, Long> positions() {
        return reader.positions();
    }

    @Override
    public Map<Integer, Long> ends() {
        return reader.ends();
    }

    @Override
    public void close() {
        reader.close();
    }
}
