// <blockstep-run>: a run of Blockstep inside another page.
//
//   <script src="https://host/blockstep/blockstep-run.js" defer></script>
//   <blockstep-run example="tx2-table-1">A caption.</blockstep-run>
//   <blockstep-run src="https://host/blockstep/#v2=…" title="…" poster="run.svg"></blockstep-run>
//
// It shows a picture and the sentence of the step until the reader touches it; then it loads the page in a frame, as high as the
// page says. Nothing of it needs more of a content security policy than this script, the picture and the frame.
// docs/embedding.md lists attributes, events and recipes.
(() => {
  "use strict";
  if (customElements.get("blockstep-run")) return;

  // The pictures of the built-in examples, written here by the build: title, step, sentence, width, height, and how much of that is
  // the timeline, of each.
  /* POSTERS */ const posters = {};

  const script = document.currentScript || document.querySelector('script[src*="blockstep-run.js"]');
  const home = new URL("./", (script && script.src) || document.baseURI).href;

  /** How long a frame that has loaded may stay silent, in milliseconds. The page speaks while it loads. */
  const SILENCE = 2000;
  /** Lowest and highest frame, px. */
  const LEAST = 80, MOST = 8000;
  const VIEWS = ["both", "timeline", "queues"];
  const ATTRIBUTES = ["src", "example", "step", "view", "poster", "title", "height", "max-height", "sandbox"];
  const EVENTS = { ready: [], run: ["run", "steps"], step: ["step", "steps", "time_ns", "sentence", "run"], height: ["height"], error: ["message"] };

  const style = `
    :host { display: block; position: relative; margin-block: 1em; }
    :host([hidden]) { display: none; }
    figure { margin: 0; }
    .picture { cursor: pointer; border-radius: 8px; overflow: hidden; border: 1px solid rgb(128 128 128 / 35%); background: #fff; color: #1b1e23; }
    img, ::slotted(:is(svg, img, picture)) { display: block; width: 100%; height: auto; max-height: var(--blockstep-most, none); object-fit: contain; }
    .bar { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1rem; padding: .5rem .8rem; }
    .step, .name { flex: 1 1 14rem; margin: 0; }
    .name { padding: .8rem .8rem 0; font-weight: 600; }
    ::slotted([slot=step]) { margin: 0; }
    button { margin-left: auto; font: 600 .95rem/1.2 system-ui, sans-serif; min-height: 2.5rem; padding: .4rem 1rem; border: 0; border-radius: 999px; background: #0b5cad; color: #fff; cursor: pointer; }
    button:hover, .picture:hover button { background: #084a8c; }
    button:focus-visible { outline: 3px solid #e07b00; outline-offset: 2px; }
    button[aria-disabled=true] { cursor: progress; }
    .stage { display: grid; }
    .stage > * { grid-area: 1 / 1; min-width: 0; }
    iframe { display: block; width: 100%; border: 0; border-radius: 8px; visibility: hidden; height: 0; }
    figcaption { margin-top: .4rem; }
    .problem { margin: .4rem 0 0; padding: .5rem .8rem; border-left: 4px solid #b3261e; background: #fdecea; color: #1b1e23; overflow-wrap: anywhere; }
    .problem a { color: #0b5cad; }
    [hidden] { display: none !important; }
    @media screen {
      .runs .picture { display: none; }
      .runs iframe { visibility: visible; }
    }
    @media (prefers-color-scheme: dark) {
      .ours, ::slotted(svg) { filter: invert(.92) hue-rotate(180deg); }
      .picture { background: #1d2025; color: #e8e9eb; }
    }
    @media print { iframe, button, .problem { display: none !important; } .picture { border-color: #999; } }
  `;
  let sheet = null;

  /** An element with properties and children. */
  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  class BlockstepRun extends HTMLElement {
    static get observedAttributes() {
      return ATTRIBUTES;
    }

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open" });
      try {
        // A sheet of the script is no inline style, which the policy of a page may forbid.
        if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(style);
        root.adoptedStyleSheets = [sheet];
      } catch {
        root.append(make("style", { textContent: style }));
      }
      this._image = make("img", { className: "ours", loading: "lazy", hidden: true });
      this._button = make("button", { type: "button" });
      this._title = make("p", { className: "name" });
      this._said = make("span", {});
      const said = make("div", { className: "step" }, make("slot", { name: "step" }, this._said));
      const bar = make("div", { className: "bar" }, said, this._button);
      this._picture = make("div", { className: "picture" }, make("slot", { name: "poster" }, this._image, this._title), bar);
      this._stage = make("div", { className: "stage" }, this._picture);
      this._problem = make("p", { className: "problem", hidden: true });
      this._problem.setAttribute("role", "alert");
      this._caption = make("figcaption", {}, make("slot", {}));
      root.append(make("figure", {}, this._stage, this._problem, this._caption));
      this._picture.addEventListener("click", () => this.open());
      // Slides and notebooks have keys of their own, which are not for a button that has the focus.
      this._button.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") event.stopPropagation();
      });
      this._image.addEventListener("error", () => this._pictured(false));
      this._hear = (event) => this._heard(event);
      this._frame = null;
    }

    connectedCallback() {
      addEventListener("message", this._hear);
      this._show();
    }

    disconnectedCallback() {
      removeEventListener("message", this._hear);
      this.close();
    }

    attributeChangedCallback(name, before, after) {
      if (!this.isConnected || before === after) return;
      const was = this._frame;
      const isLook = ["title", "poster", "height", "max-height"].includes(name);
      if (!isLook) this.close();
      this._show();
      if (was && isLook) this._fit();
      else if (was) this.open();
    }

    /** Loads the page in place of the picture. */
    open() {
      if (this._frame) return;
      let address;
      try {
        address = this._address();
      } catch (error) {
        return this._complain(error.message);
      }
      this._complain("");
      const frame = make("iframe", { src: address });
      if (this.hasAttribute("sandbox")) {
        // Without its own host it could not load its own files; the link to the whole page opens a tab.
        frame.setAttribute("sandbox", this.getAttribute("sandbox") || "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox");
      }
      Object.assign(this, { _frame: frame, _width: 0, _height: 0, _spoke: false });
      this._name();
      this._button.textContent = "Loading…";
      this._button.setAttribute("aria-disabled", "true");
      frame.addEventListener("load", () => {
        this._timer = setTimeout(() => {
          if (this._frame !== frame || this._spoke) return;
          this.close();
          this._complain("Blockstep did not answer. Does the address lead to its page, and does the policy of this page (frame-src) allow it in a frame?", address);
        }, SILENCE);
      });
      this._stage.append(frame);
    }

    /** Takes the page away: the picture is back. */
    close() {
      clearTimeout(this._timer);
      if (this._frame) this._frame.remove();
      this._frame = null;
      this._stage.classList.remove("runs");
      this._button.textContent = "▶ Step through it";
      this._button.removeAttribute("aria-disabled");
    }

    /** Goes to a step of the run; beyond either end it is that end. Nothing happens before the page is there. */
    go(step) {
      const number = Number(step);
      if (this._frame && Number.isFinite(number)) {
        this._frame.contentWindow.postMessage({ blockstep: 1, type: "go", step: Math.max(0, Math.trunc(number)) }, "*");
      }
    }

    /** The built-in example that is asked for, if it is known. */
    _built() {
      const id = this.getAttribute("example");
      return id !== null && Object.prototype.hasOwnProperty.call(posters, id) ? posters[id] : null;
    }

    /** The address of the frame; throws what is wrong with the attributes, in words. */
    _address() {
      const [src, example, step] = ["src", "example", "step"].map((name) => this.getAttribute(name));
      if (src === null && example === null) throw new Error('blockstep-run needs src="…", a link to a run, or example="…".');
      let url;
      try {
        // A fragment alone is for the page beside this script.
        url = new URL(src === null ? home : src, src === null || src.startsWith("#") ? home : document.baseURI);
      } catch {
        throw new Error(`src="${src}" is no address.`);
      }
      if (!/^https?:$/.test(url.protocol)) {
        throw new Error(`${src === null ? `example="${example}"` : `src="${src}"`} leads to ${url.protocol} and a frame shows only http: and https:.`);
      }
      let hash = url.hash || "#";
      if (example !== null) {
        const built = this._built();
        if (!built && Object.keys(posters).length > 0) {
          throw new Error(`example="${example}" is none of the built-in ones: ${Object.keys(posters).join(", ")}.`);
        }
        if (step !== null && !/^\d{1,9}$/.test(step)) throw new Error(`step="${step}" is not a whole number of 0 or more.`);
        hash = `#example=${encodeURIComponent(example)}&step=${step === null ? (built ? built.step : 0) : step}`;
      }
      const view = this.getAttribute("view");
      if (view !== null && !VIEWS.includes(view)) throw new Error(`view="${view}" is none of ${VIEWS.join(", ")}.`);
      const said = /&(?:amp;)?embed(?:(?:=|%3D)[\w-]*)?/i;
      if (view !== null) hash = hash.replace(said, "");
      url.hash = said.test(hash) ? hash : `${hash}&embed=${view || "both"}`;
      return url.href;
    }

    /** Picture and sentence. */
    _show() {
      const built = this._built();
      const poster = this.getAttribute("poster");
      const own = poster === null && built ? `${home}posters/${encodeURIComponent(this.getAttribute("example"))}.svg${this._part(built)}` : poster;
      this._pictured(own !== null);
      this._image.className = poster === null ? "ours" : "";
      if (own !== null) this._image.src = own;
      else this._image.removeAttribute("src");
      const most = Math.min(...["height", "max-height"].map((name) => Number.parseFloat(this.getAttribute(name)) || Infinity));
      // The bar below the picture takes some of it.
      if (most < Infinity) this._picture.style.setProperty("--blockstep-most", `${Math.max(LEAST, most - 64)}px`);
      else this._picture.style.removeProperty("--blockstep-most");
      const step = this.getAttribute("step");
      this._said.textContent = built && (step === null || Number(step) === built.step) ? built.sentence : "";
      if (!this._frame) this.close();
      this._name();
      let problem = "";
      try {
        this._address();
      } catch (error) {
        problem = error.message;
      }
      this._complain(problem);
      this._button.hidden = problem !== "";
    }

    /** Sizes the picture of a built-in example, and says which part of it shows the view: its timeline stands above its queues. */
    _part({ width, height, timeline }) {
      const view = this.getAttribute("view");
      const has = timeline > 0 && timeline < height;
      const [from, to] = has && view === "timeline" ? [0, timeline] : has && view === "queues" ? [timeline, height] : [0, height];
      [this._image.width, this._image.height] = [width, to - from];
      return to - from === height ? "" : `#svgView(viewBox(0,${from},${width},${to - from}))`;
    }

    /** Shows the picture, or what the run is called if there is none. */
    _pictured(is) {
      this._image.hidden = !is;
      this._title.hidden = is;
    }

    /** What screen readers call it. */
    _name() {
      const built = this._built();
      const title = this.getAttribute("title") || (built ? `Blockstep: ${built.title}` : "Blockstep");
      this._image.alt = title;
      this._title.textContent = title;
      this._button.setAttribute("aria-label", `Step through it: ${title}`);
      if (this._frame) this._frame.title = title;
    }

    /** Says what is wrong, with a way to the page itself; nothing if there are no words. */
    _complain(words, address) {
      this._problem.hidden = !words;
      this._problem.textContent = words;
      if (words && address) this._problem.append(" ", make("a", { href: address.replace(/&embed=[\w-]+$/, ""), target: "_blank", rel: "noopener", textContent: "Open it in a new tab" }));
    }

    /** Takes a message, if it is of the element's own frame. */
    _heard({ source, data }) {
      const frame = this._frame;
      if (!frame || source !== frame.contentWindow || typeof data !== "object" || data === null || data.blockstep !== 1) return;
      this._spoke = true;
      if (!Object.prototype.hasOwnProperty.call(EVENTS, data.type)) return;
      if (data.type === "ready" || data.type === "error") this._run();
      if (data.type === "height") this._fit(data.height, data.width);
      const detail = {};
      for (const name of EVENTS[data.type]) if (["number", "string"].includes(typeof data[name])) detail[name] = data[name];
      this.dispatchEvent(new CustomEvent(`blockstep-${data.type}`, { detail, bubbles: true, composed: true }));
    }

    /** The page stands: it takes the picture's place, and the focus if the button had it. */
    _run() {
      const had = this.shadowRoot.activeElement === this._button;
      this._fit();
      this._stage.classList.add("runs");
      if (had) this._frame.focus();
    }

    /**
     * Gives the frame the height that the page asks for. At the same width it gets no lower again, so that the page around stays
     * where it is while the reader steps. `height` fixes it, `max-height` limits it; then the frame scrolls.
     */
    _fit(height, width) {
      if (Number.isFinite(width) && width !== this._width) [this._width, this._height] = [width, 0];
      if (Number.isFinite(height)) this._height = Math.max(this._height, Math.min(MOST, Math.ceil(height)));
      const length = (name) => Number.parseFloat(this.getAttribute(name));
      const [fixed, most] = [length("height"), length("max-height")];
      const px = fixed > 0 ? fixed : Math.min(this._height || this._picture.offsetHeight, most > 0 ? most : MOST);
      this._frame.style.height = `${Math.max(LEAST, px)}px`;
    }
  }

  customElements.define("blockstep-run", BlockstepRun);
})();
