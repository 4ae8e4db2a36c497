// Reads WARC files with JWAT as strictly as it can. One line per file: its records; then what JWAT finds fault with. Exit 1 where it did.
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.util.List;
import org.jwat.common.Diagnosis;
import org.jwat.common.Diagnostics;
import org.jwat.common.UriProfile;
import org.jwat.warc.WarcReader;
import org.jwat.warc.WarcReaderFactory;
import org.jwat.warc.WarcRecord;

public class JwatCheck {
  static int faults = 0;

  static void tell(String where, Diagnostics diagnostics) {
    for (List<Diagnosis> list : List.of(diagnostics.getErrors(), diagnostics.getWarnings())) {
      for (Diagnosis diagnosis : list) {
        ++faults;
        System.err.println(where + ": " + diagnosis.type + " " + diagnosis.entity + " " + String.join(" | ", diagnosis.getMessageArgs() == null ? new String[0] : toText(diagnosis.getMessageArgs())));
      }
    }
  }

  static String[] toText(Object[] arguments) {
    String[] text = new String[arguments.length];
    for (int i = 0; i < text.length; ++i) text[i] = String.valueOf(arguments[i]);
    return text;
  }

  public static void main(String[] arguments) throws Exception {
    for (String file : arguments) {
      int records = 0;
      try (WarcReader reader = WarcReaderFactory.getReader(new BufferedInputStream(new FileInputStream(file)), 1 << 16)) {
        reader.setWarcTargetUriProfile(UriProfile.RFC3986);
        reader.setUriProfile(UriProfile.RFC3986);
        reader.setBlockDigestEnabled(true);
        reader.setPayloadDigestEnabled(true);
        reader.setReportHttpHeaderErrors(true);
        for (WarcRecord record; (record = reader.getNextRecord()) != null;) {
          ++records;
          record.close();
          tell(file + ": record at " + record.getStartOffset(), record.diagnostics);
          if (record.getHttpHeader() != null) tell(file + ": HTTP head at " + record.getStartOffset(), record.getHttpHeader().diagnostics);
          if (record.isCompliant() == false && !record.diagnostics.hasErrors()) {
            ++faults;
            System.err.println(file + ": record at " + record.getStartOffset() + " is not compliant");
          }
        }
        tell(file, reader.diagnostics);
        if (reader.getIteratorExceptionThrown() != null) throw reader.getIteratorExceptionThrown();
        if (!reader.isCompliant()) {
          ++faults;
          System.err.println(file + ": not compliant");
        }
      } catch (Exception error) {
        ++faults;
        System.err.println(file + ": " + error);
      }
      System.out.println(records + " " + file);
    }
    System.exit(faults == 0 ? 0 : 1);
  }
}
