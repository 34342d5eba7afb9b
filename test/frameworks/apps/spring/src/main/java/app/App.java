package app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.*;

/** Each path is one mistake. */
@SpringBootApplication
@RestController
public class App {
  public static void main(String[] arguments) {
    SpringApplication.run(App.class, arguments);
  }

  @PostMapping("/csrf") String csrf(@RequestBody String body) { return "ok"; }
  @GetMapping("/method") String method() { return "ok"; }
  @PostMapping(path = "/media", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE) String media() { return "ok"; }
  @PostMapping("/form") String form(@RequestParam String nom) { return nom; }
  @PostMapping("/throws") String fails(@RequestBody String body) { throw new IllegalStateException(); }

  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(all -> all.anyRequest().permitAll())
        .csrf(csrf -> csrf.ignoringRequestMatchers("/method", "/media", "/form", "/throws", "/absent"))
        .build();
  }
}
