package dev.shelfmark.bench;

import java.io.IOException;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.apache.kafka.common.utils.internals.ChildFirstClassLoader;

/** What of a start is the driver's: loaded out of the plugin's directory as the plugin is, one connection and one question. */
final class BareConnection {

    private BareConnection() {}

    static void measure(Settings settings, Results results) {
        long began = System.nanoTime();
        Properties login = new Properties();
        login.setProperty("user", settings.text(Backend.MANAGER + "jdbc.user"));
        login.setProperty("password", settings.text(Backend.MANAGER + "jdbc.password"));
        try (URLClassLoader loader =
                        new ChildFirstClassLoader(settings.text(Backend.PLUGIN), Backend.class.getClassLoader());
                Connection connection = driver(loader).connect(settings.text(Backend.MANAGER + "jdbc.url"), login);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select 1")) {
            if (!row.next() || row.getInt(1) != 1) {
                throw new WrongAnswer("the database does not count to 1");
            }
            results.millisSince("start.bare", began);
        } catch (IOException | SQLException | ReflectiveOperationException e) {
            throw new IllegalStateException("the driver alone can't connect", e);
        }
    }

    private static Driver driver(ClassLoader loader) throws ReflectiveOperationException {
        return (Driver) loader.loadClass("org.postgresql.Driver")
                .getDeclaredConstructor()
                .newInstance();
    }
}
