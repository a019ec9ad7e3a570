package dev.shelfmark.soak;

import dev.shelfmark.compat.broker.Broker;
import dev.shelfmark.compat.broker.Ledger;
import dev.shelfmark.compat.broker.TieredTopic;
import dev.shelfmark.compat.remote.StoragePoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Does to topics what an operator does. Whatever a fault keeps from ending is given up, as an operator would. */
final class Operator {

    private static final List<Integer> BROKERS = List.of(1, 2, 3);
    private static final int RECORDS = 150;

    private final SoakTopics topics;

    Operator(SoakTopics topics) {
        this.topics = topics;
    }

    void run(Step step) {
        switch (step.action()) {
            case CREATE_TOPIC -> create();
            case DELETE_TOPIC -> topics.delete();
            case CHANGE_LEADER -> lead(step.argument());
            case CHANGE_LEADER_WHILE_IT_COPIES -> leaveStaleLeader(step);
            case REASSIGN -> reassign(step.argument());
            case SHORTEN_RETENTION -> shorten(step.argument());
            default -> throw new IllegalArgumentException(step + " is a fault");
        }
    }

    private void create() {
        TieredTopic topic = topics.create();
        try (Ledger ledger = new Ledger(topic, 0)) {
            ledger.write(RECORDS);
        }
    }

    private TieredTopic chosen(int argument) {
        List<TieredTopic> all = new ArrayList<>(topics.lasting());
        all.add(topics.shortened());
        return all.get(argument % all.size());
    }

    private void lead(int argument) {
        List<Integer> replicas = new ArrayList<>(BROKERS);
        Collections.rotate(replicas, argument % BROKERS.size());
        chosen(argument).lead(argument % topics.partitions(), replicas.get(0), replicas);
    }

    /** The broker that led is held in the middle of a copy, and goes on with it when another has led for a while. */
    private void leaveStaleLeader(Step step) {
        TieredTopic topic =
                topics.lasting().get(step.argument() % topics.lasting().size());
        int partition = step.argument() / 7 % topics.partitions();
        Broker old = topic.leader(partition);
        old.storage().pauseAt(StoragePoint.AFTER_COPY);
        try {
            Disturbance.pause(Duration.ofSeconds(2));
            List<Integer> replicas = new ArrayList<>(BROKERS);
            Collections.rotate(replicas, BROKERS.size() - old.id());
            topic.lead(partition, replicas.get(0), replicas);
            Disturbance.pause(Duration.ofSeconds(2));
        } finally {
            old.storage().release(StoragePoint.AFTER_COPY);
        }
    }

    /** One broker gives its replica up, and gets it again from the others and from the remote storage. */
    private void reassign(int argument) {
        List<Integer> replicas = new ArrayList<>(BROKERS);
        Collections.shuffle(replicas, new Random(argument));
        TieredTopic topic = chosen(argument);
        int partition = argument % topics.partitions();
        topic.moveTo(partition, replicas.subList(0, 2));
        topic.moveTo(partition, replicas);
    }

    private void shorten(int argument) {
        topics.shortened().configure("retention.bytes", Integer.toString(20_000 + argument * 60));
    }
}
