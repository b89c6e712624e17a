import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Hadoop's file system interface over the S3 protocol, for tests on loopback: without keys, files in memory.
 *
 * <p>Written for the small Java that Janino compiles, which comes with Spark: no type arguments, no lambdas.
 *
 * <p>It stands in for hadoop-aws, which is not in Spark's distribution, and behaves like it where it matters: a file is
 * there when it is closed, a rename is a copy, folders are marks or the beginnings of names.
 */
public class LoopbackS3 extends FileSystem {
  private static final Pattern ENTRY = Pattern.compile("<Contents>.*?<Key>(.*?)</Key>.*?<Size>(\\d+)</Size>", Pattern.DOTALL);
  private static final Pattern PREFIX = Pattern.compile("<CommonPrefixes>\\s*<Prefix>(.*?)</Prefix>", Pattern.DOTALL);
  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private URI uri;
  private URI endpoint;

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    setConf(conf);
    uri = URI.create(name.getScheme() + "://" + name.getAuthority());
    endpoint = URI.create(conf.get("fs.s3a.endpoint"));
  }

  @Override
  public String getScheme() {
    return "s3a";
  }

  @Override
  public URI getUri() {
    return uri;
  }

  private String key(Path path) {
    return makeQualified(path).toUri().getPath().substring(1);
  }

  private Path path(String key) {
    return new Path(uri + "/" + (key.endsWith("/") ? key.substring(0, key.length() - 1) : key));
  }

  private HttpResponse send(String method, String key, String query, byte[] body, String... headers)
      throws IOException {
    try {
      URI target = new URI(endpoint.getScheme(), endpoint.getAuthority(), "/" + uri.getAuthority() + "/" + key, query, null);
      // Nobody checks the signature here, but who does not sign at all may read nothing.
      HttpRequest.Builder request = HttpRequest.newBuilder(target)
          .header("Authorization", "AWS4-HMAC-SHA256 Credential=spark/20260101/us-east-1/s3/aws4_request, "
              + "SignedHeaders=host, Signature=none")
          .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
      if (headers.length > 0) {
        request.headers(headers);
      }
      HttpResponse answer = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() >= 400 && answer.statusCode() != 404) {
        throw new IOException(method + " " + target + ": " + answer.statusCode());
      }
      return answer;
    } catch (URISyntaxException error) {
      throw new IOException(error);
    } catch (InterruptedException error) {
      throw new IOException(error);
    }
  }

  private static byte[] body(HttpResponse answer) {
    return (byte[]) answer.body();
  }

  private String list(String prefix, boolean deep) throws IOException {
    String query = "list-type=2&prefix=" + prefix + (deep ? "" : "&delimiter=/");
    String found = new String(body(send("GET", "", query, new byte[0])), "UTF-8");
    if (found.contains("<IsTruncated>true")) {
      throw new IOException(prefix + ": more than a test writes");
    }
    return found;
  }

  private List keysBelow(String key) throws IOException {
    List keys = new ArrayList();
    Matcher entries = ENTRY.matcher(list(key + "/", true));
    while (entries.find()) {
      keys.add(entries.group(1));
    }
    return keys;
  }

  private static FileStatus file(Path path, long size) {
    return new FileStatus(size, false, 1, 32 << 20, 0, path);
  }

  private static FileStatus folder(Path path) {
    return new FileStatus(0, true, 1, 0, 0, path);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    String key = key(path);
    if (key.isEmpty()) {
      return folder(makeQualified(path));
    }
    HttpResponse found = send("GET", key, null, new byte[0]);
    if (found.statusCode() == 200) {
      return file(makeQualified(path), body(found).length);
    }
    if (keysBelow(key).isEmpty()) {
      throw new FileNotFoundException(path.toString());
    }
    return folder(makeQualified(path));
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    FileStatus status = getFileStatus(path);
    if (status.isFile()) {
      return new FileStatus[] {status};
    }
    String prefix = key(path).isEmpty() ? "" : key(path) + "/";
    String listing = list(prefix, false);
    List found = new ArrayList();
    Matcher files = ENTRY.matcher(listing);
    while (files.find()) {
      if (!files.group(1).equals(prefix)) {
        found.add(file(path(files.group(1)), Long.parseLong(files.group(2))));
      }
    }
    Matcher folders = PREFIX.matcher(listing);
    while (folders.find()) {
      found.add(folder(path(folders.group(1))));
    }
    return (FileStatus[]) found.toArray(new FileStatus[0]);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    HttpResponse found = send("GET", key(path), null, new byte[0]);
    if (found.statusCode() != 200) {
      throw new FileNotFoundException(path.toString());
    }
    return new FSDataInputStream(new Bytes(body(found)));
  }

  @Override
  public FSDataOutputStream create(Path path, FsPermission permission, boolean overwrite, int bufferSize,
      short replication, long blockSize, Progressable progress) throws IOException {
    final String key = key(path);
    if (!overwrite && exists(path)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    return new FSDataOutputStream(new ByteArrayOutputStream() {
      private boolean closed;

      @Override
      public void close() throws IOException {
        if (!closed) {
          closed = true;
          send("PUT", key, null, toByteArray());
        }
      }
    }, null);
  }

  @Override
  public boolean rename(Path source, Path target) throws IOException {
    FileStatus from;
    try {
      from = getFileStatus(source);
    } catch (FileNotFoundException missing) {
      return false;
    }
    Path to = target;
    if (exists(target) && getFileStatus(target).isDirectory()) {
      to = new Path(target, source.getName());
    }
    List keys = from.isFile() ? List.of(key(source)) : keysBelow(key(source));
    for (Object each : keys) {
      String old = (String) each;
      String copied = key(to) + old.substring(key(source).length());
      send("PUT", copied, null, new byte[0], "x-amz-copy-source", "/" + uri.getAuthority() + "/" + old);
      send("DELETE", old, null, new byte[0]);
    }
    return true;
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    String key = key(path);
    boolean there = exists(path);
    List keys = new ArrayList(keysBelow(key));
    keys.add(key);
    for (Object each : keys) {
      send("DELETE", (String) each, null, new byte[0]);
    }
    return there;
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    send("PUT", key(path) + "/", null, new byte[0]);
    return true;
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
    throw new UnsupportedOperationException("an object store appends nothing");
  }

  @Override
  public void setWorkingDirectory(Path path) {}

  @Override
  public Path getWorkingDirectory() {
    return new Path(uri + "/");
  }

  private static class Bytes extends ByteArrayInputStream implements Seekable, PositionedReadable {
    Bytes(byte[] data) {
      super(data);
    }

    @Override
    public void seek(long to) {
      pos = (int) to;
    }

    @Override
    public long getPos() {
      return pos;
    }

    @Override
    public boolean seekToNewSource(long to) {
      return false;
    }

    @Override
    public int read(long from, byte[] into, int offset, int length) {
      if (from >= count) {
        return -1;
      }
      int read = (int) Math.min(length, count - from);
      System.arraycopy(buf, (int) from, into, offset, read);
      return read;
    }

    @Override
    public void readFully(long from, byte[] into, int offset, int length) throws IOException {
      if (read(from, into, offset, length) < length) {
        throw new java.io.EOFException();
      }
    }

    @Override
    public void readFully(long from, byte[] into) throws IOException {
      readFully(from, into, 0, into.length);
    }
  }
}
