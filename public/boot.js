// Loads the page's script and WebAssembly, and says in words what went wrong if that fails.
// The page removes #boot when it stands and sets data-ready on <html>; from then on this file is silent, but for what stops the page.
// Classic script, no inline code, so that a strict content security policy can allow it.
(function () {
  "use strict";
  var script = document.currentScript;
  var root = document.documentElement;

  function running() {
    return root.dataset.ready === "1";
  }

  // Replaces the loading message. `help` says what the reader can do, `detail` is the browser's own message.
  function explain(what, help, detail) {
    var boot = document.getElementById("boot");
    if (!boot || running() || boot.getAttribute("role") === "alert") return;
    tell("error", what + " " + help);
    boot.textContent = "";
    boot.setAttribute("role", "alert");
    line(boot, "strong", what);
    line(boot, "span", help);
    if (detail) line(boot, "span", "The browser says: " + detail).className = "boot-detail";
  }

  function line(boot, tag, text) {
    var paragraph = document.createElement("p");
    var inner = document.createElement(tag);
    inner.textContent = text;
    paragraph.appendChild(inner);
    boot.appendChild(paragraph);
    return paragraph;
  }

  // `#…&embed` and `#…&embed=VIEW` show one view only, inside the frame of another page: the style sheet reads data-embed.
  // The link leads to the whole page in the same state.
  var embed = /&(?:amp;)?embed(?:(?:=|%3D)([\w-]+))?/i.exec(location.hash);
  if (embed) {
    root.dataset.embed = embed[1] || "both";
    var full = document.createElement("a");
    full.id = "embed-full";
    full.target = "_blank";
    full.rel = "noopener";
    full.href = location.hash.replace(embed[0], "");
    full.textContent = "Open in Blockstep";
    document.body.appendChild(document.createElement("nav")).appendChild(full);
    tell("loading");
  }

  // Tells the page around a frame how it goes, until the page itself does (src/page/embedded.rs).
  function tell(type, message) {
    if (embed && parent !== self) parent.postMessage({ blockstep: 1, type: type, message: message }, "*");
  }

  // Once the page stands, so that what the worker keeps for use without network does not compete with it.
  // Not in frames; and where a browser refuses, the page is as good without.
  function keep() {
    if (self === top && running()) navigator.serviceWorker.register("sw.js").catch(function () {});
  }

  // "Reload without cache", in the help: this site's service worker and caches go, and no others; its files are asked for anew.
  document.addEventListener("click", function (event) {
    if (event.target instanceof Element && event.target.closest("#reload-without-cache")) fresh();
  });

  async function fresh() {
    var home = new URL("./", document.baseURI).href;
    try {
      var workers = await navigator.serviceWorker.getRegistrations();
      await Promise.all(workers.filter(function (worker) { return worker.scope === home; }).map(function (worker) { return worker.unregister(); }));
      var names = await caches.keys();
      await Promise.all(names.filter(function (name) { return name.startsWith("blockstep " + home + " "); }).map(function (name) { return caches.delete(name); }));
    } catch (error) {
      // Where a browser has none of these, or refuses them, nothing is kept either.
    }
    var addresses = ["data-js", "data-wasm", "data-worker", "data-tracer"].map(address).concat([home, script.src]);
    document.querySelectorAll('link[rel="stylesheet"]').forEach(function (link) { addresses.push(link.href); });
    await Promise.all(addresses.map(function (file) { return fetch(file, { cache: "reload" }).catch(function () {}); }));
    location.reload();
  }

  function words(error) {
    return String((error && error.message) || error || "");
  }

  // A trap of the page's WebAssembly: memory or stack is used up, or there is a bug. No code of the page runs well after that, so this
  // file says it, and saves what is stored.
  function isTrap(error) {
    if (error instanceof WebAssembly.RuntimeError) return true;
    return error instanceof Error && /recursion|call stack/.test(error.message) && /wasm/.test(String(error.stack));
  }

  function stopped(error) {
    if (document.getElementById("stopped-buttons")) return;
    var notice = document.querySelector(".stopped");
    if (!notice) {
      notice = document.createElement("pre");
      notice.className = "stopped";
      notice.setAttribute("role", "alert");
      notice.textContent = "Blockstep has stopped: its memory is used up, or it has a bug. Your work is stored as it was a moment ago, with what can be undone.\n" + words(error);
      document.body.appendChild(notice);
    }
    var buttons = document.createElement("span");
    buttons.id = "stopped-buttons";
    var text = storedWork();
    if (text) button(buttons, "Save your work as a file", function () { save(text); });
    button(buttons, "Reload without running", function () { location.reload(); });
    notice.appendChild(document.createTextNode("\n"));
    notice.appendChild(buttons);
    // The page is told at its next start that this did not end well (src/state/begun.rs), after its own code has had its say.
    addEventListener("pagehide", function () {
      try {
        sessionStorage.setItem("blockstep.begun", JSON.stringify({ at_ms: 0, work: "stored" }));
      } catch (refused) {
        // Then it runs again what it ran.
      }
    });
  }

  function button(parent, words, then) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", then);
    parent.appendChild(button);
  }

  // The scenario that this tab works on (crates/tools/src/stored.rs).
  function storedWork() {
    try {
      var slot = sessionStorage.getItem("blockstep.tab");
      return localStorage.getItem(slot ? "blockstep.kept." + slot + ".scenario" : "blockstep.scenario") || localStorage.getItem("blockstep.scenario");
    } catch (refused) {
      return null;
    }
  }

  function save(text) {
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "blockstep.json";
    link.click();
  }

  var reload = "Check the connection and whether a content blocker stops it, then load the page again.";

  if (location.protocol === "file:") {
    explain(
      "Blockstep was opened as a file, and browsers do not load WebAssembly from files.",
      "Open it over http instead: run “make serve” in the project, or start any static web server in this folder, and open the address it prints."
    );
    return;
  }
  if (typeof WebAssembly !== "object" || typeof WebAssembly.instantiate !== "function") {
    explain(
      "Blockstep runs on WebAssembly, which this browser does not support or has switched off.",
      "Open the page in a current Firefox, Chrome, Edge or Safari, or allow WebAssembly for this page (a browser's strict security mode may forbid it)."
    );
    return;
  }

  function address(name) {
    return new URL(script.getAttribute(name), document.baseURI).href;
  }

  function starting(error) {
    explain("Blockstep stopped while starting.", "Load the page again. If that does not help, try a current version of the browser.", words(error));
  }

  window.addEventListener("error", function (event) {
    // Files that fail to load are told apart below; here are errors of running code.
    if (!(event instanceof ErrorEvent)) return;
    if (!running()) starting(event.error || event.message);
    else if (isTrap(event.error)) stopped(event.error);
  });
  window.addEventListener("unhandledrejection", function (event) {
    if (!running()) starting(event.reason);
    else if (isTrap(event.reason)) stopped(event.reason);
  });

  import(address("data-js")).then(
    function (page) {
      return page.default({ module_or_path: address("data-wasm") }).then(keep).catch(function (error) {
        if (error instanceof WebAssembly.RuntimeError) {
          starting(error);
        } else if (error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError) {
          explain("This browser cannot run Blockstep's WebAssembly.", "The file did not arrive completely, or the browser is too old: load the page again, or use a current browser.", words(error));
        } else {
          explain("The WebAssembly file of Blockstep could not be loaded.", reload, words(error));
        }
      });
    },
    function (error) {
      if (self.origin === "null") {
        explain(
          "Blockstep is in a frame that is restricted (sandbox) without allow-same-origin, and cannot load its own script there.",
          "Open it in a new tab, or add allow-same-origin to the frame."
        );
      }
      explain("The script of Blockstep could not be loaded.", reload, words(error));
    }
  );
})();
