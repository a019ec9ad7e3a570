package dev.shelfmark.compat.model;

import java.util.List;

/**
 * A difference that is none of the known ones.
 *
 * @param step after which operation, from 0
 * @param question what was asked
 * @param ours what the subject answered
 * @param rules what our rules say
 * @param kafka what Kafka's cache says
 */
record Mismatch(int step, String question, Object ours, Object rules, Object kafka) {

    String report(long seed, List<Operation> sequence) {
        StringBuilder report = new StringBuilder("seed ").append(seed).append(", shrunk to:\n");
        for (int i = 0; i < sequence.size(); i++) {
            report.append("  ").append(i).append(": ").append(sequence.get(i)).append('\n');
        }
        return report.append("after step ")
                .append(step)
                .append(", ")
                .append(question)
                .append("\n  ours:  ")
                .append(ours)
                .append("\n  rules: ")
                .append(rules)
                .append("\n  kafka: ")
                .append(kafka)
                .toString();
    }
}
