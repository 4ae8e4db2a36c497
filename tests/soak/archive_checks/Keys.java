// Prints the key of each line of standard input, by webarchive-commons.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.archive.url.WaybackURLKeyMaker;

public class Keys {
  public static void main(String[] arguments) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    WaybackURLKeyMaker maker = new WaybackURLKeyMaker(true);
    for (String url; (url = in.readLine()) != null;) {
      String key;
      try {
        key = maker.makeKey(url);
      } catch (Exception error) {
        key = "error " + error.getMessage();
      }
      out.println(key);
    }
    out.flush();
  }
}
