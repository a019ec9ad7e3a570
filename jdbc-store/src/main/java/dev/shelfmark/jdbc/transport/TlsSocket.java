package dev.shelfmark.jdbc.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** The JDK's TLS socket, with failures that name their cause, and UTC in the startup message. Only these two differ; the rest passes on. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // The socket that is passed on to synchronizes itself.
final class TlsSocket extends SSLSocket {

    private final SSLSocket tls;
    private final TlsPeer peer;
    private @Nullable OutputStream out;

    TlsSocket(SSLSocket tls, TlsPeer peer) {
        this.tls = tls;
        this.peer = peer;
    }

    @Override
    public void startHandshake() throws IOException {
        try {
            tls.startHandshake();
        } catch (IOException e) {
            throw peer.explain(e);
        }
        peer.verify(tls.getSession());
    }

    @Override
    public synchronized OutputStream getOutputStream() throws IOException {
        OutputStream made = out;
        if (made == null) {
            made = new UtcStartup(tls.getOutputStream());
            out = made;
        }
        return made;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return tls.getInputStream();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return tls.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return tls.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        tls.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return tls.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return tls.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        tls.setEnabledProtocols(protocols);
    }

    @Override
    public SSLSession getSession() {
        return tls.getSession();
    }

    @Override
    public SSLSession getHandshakeSession() {
        return tls.getHandshakeSession();
    }

    @Override
    public void addHandshakeCompletedListener(HandshakeCompletedListener listener) {
        tls.addHandshakeCompletedListener(listener);
    }

    @Override
    public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) {
        tls.removeHandshakeCompletedListener(listener);
    }

    @Override
    public void setUseClientMode(boolean mode) {
        tls.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
        return tls.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        tls.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return tls.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        tls.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return tls.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        tls.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return tls.getEnableSessionCreation();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return tls.getSSLParameters();
    }

    @Override
    public void setSSLParameters(SSLParameters params) {
        tls.setSSLParameters(params);
    }

    @Override
    public String getApplicationProtocol() {
        return tls.getApplicationProtocol();
    }

    @Override
    public InetAddress getInetAddress() {
        return tls.getInetAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return tls.getLocalAddress();
    }

    @Override
    public int getPort() {
        return tls.getPort();
    }

    @Override
    public int getLocalPort() {
        return tls.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return tls.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return tls.getLocalSocketAddress();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        tls.setTcpNoDelay(on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return tls.getTcpNoDelay();
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        tls.setKeepAlive(on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return tls.getKeepAlive();
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        tls.setSoLinger(on, linger);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return tls.getSoLinger();
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        tls.setSoTimeout(timeout);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return tls.getSoTimeout();
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        tls.setSendBufferSize(size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return tls.getSendBufferSize();
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        tls.setReceiveBufferSize(size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return tls.getReceiveBufferSize();
    }

    @Override
    public void shutdownInput() throws IOException {
        tls.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        tls.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        tls.close();
    }

    @Override
    public boolean isConnected() {
        return tls.isConnected();
    }

    @Override
    public boolean isBound() {
        return tls.isBound();
    }

    @Override
    public boolean isClosed() {
        return tls.isClosed();
    }

    @Override
    public boolean isInputShutdown() {
        return tls.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return tls.isOutputShutdown();
    }

    @Override
    public String toString() {
        return tls.toString();
    }
}
