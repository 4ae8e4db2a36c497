package org.apache.hadoop.io;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Stands before Hadoop's class of this name in the NodeManagers of a test cluster with Kerberos.
 *
 * <p>Hadoop's own asks its native library who owns a file before the shuffle serves it, and without the library it serves
 * nothing. The library is in Hadoop's tarball alone. Here all files belong to the one user who runs the cluster.
 */
public class SecureIOUtils {
  public static RandomAccessFile openForRandomRead(File file, String mode, String owner, String group) throws IOException {
    return new RandomAccessFile(file, mode);
  }

  public static FSDataInputStream openFSDataInputStream(File file, String owner, String group) throws IOException {
    return FileSystem.getLocal(new Configuration()).getRaw().open(new Path(file.getAbsolutePath()));
  }

  public static FileInputStream openForRead(File file, String owner, String group) throws IOException {
    return new FileInputStream(file);
  }

  public static FileOutputStream createForWrite(File file, int permissions) throws IOException {
    if (!file.createNewFile()) throw new AlreadyExistsException("File " + file + " already exists");
    return new FileOutputStream(file);
  }

  public static class AlreadyExistsException extends IOException {
    public AlreadyExistsException(String message) {
      super(message);
    }
  }
}
