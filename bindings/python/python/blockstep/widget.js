// Steps through a run in a notebook. Python has sent all that is shown in `_stepper` (crates/report/src/stepper.rs); only `step` goes
// to and fro. The contract is anywidget's: https://anywidget.dev/en/afm/
const HEADS = { stream: "Stream queues", queue: "EE and CE queues", gpu: "GPU" };
/** As the page calls them. */
const BUTTONS = [
  ["Before the first step", "|◀", () => -Infinity],
  ["One step back", "◀", (step) => step - 1],
  ["One step forward", "▶", (step) => step + 1],
  ["After the last step", "▶|", () => Infinity],
];
const KEYS = { Home: 0, ArrowLeft: 1, ArrowRight: 2, End: 3 };
/** Lines of a part from which on they are small, beside each other: more than its name, eight SMs and two copy engines. */
const MANY = 12;

/** An element with properties and children. */
function make(name, properties, ...children) {
  const { role, label, ...rest } = properties;
  const element = Object.assign(document.createElement(name), rest);
  if (role) element.setAttribute("role", role);
  if (label) element.setAttribute("aria-label", label);
  element.append(...children);
  return element;
}

/** The numbers of the boxes after so many steps. */
function boxesAt({ changes }, step) {
  const boxes = [];
  for (let i = 0; i <= step; i++) {
    const [length, ...pairs] = changes[i];
    boxes.length = length;
    for (let j = 0; j < pairs.length; j += 2) boxes[pairs[j]] = pairs[j + 1];
  }
  return boxes;
}

/** A queue, an SM or a copy engine. */
function row({ part, label, note, items, more }, colors, isChanged) {
  const shown = items.map(([text, color]) => {
    const item = make("span", { textContent: text });
    if (color !== null) [item.style.background, item.style.color] = colors[color];
    return item;
  });
  if (more) shown.push(`+${more}`);
  if (!shown.length) shown.push(make("i", { textContent: part === "gpu" ? "idle" : "empty" }));
  const small = note ? [make("small", { textContent: note })] : [];
  return make("div", { className: `blockstep-row${isChanged ? " blockstep-changed" : ""}` }, make("b", { textContent: label }), ...shown, ...small);
}

/** The boxes of all address spaces, those that the step changed marked. */
function diagram(run, step) {
  const changed = new Set(run.changes[step].filter((_, i) => i % 2 === 1));
  const spaces = [];
  let parts = {};
  boxesAt(run, step).forEach((number, place) => {
    const box = run.boxes[number];
    if (box.part === "space" || !spaces.length) {
      spaces.push(make("div", { className: "blockstep-space" }));
      parts = {};
    }
    if (box.part === "space") {
      spaces.at(-1).append(make("div", { className: "blockstep-name" }, make("b", { textContent: box.label }), ` ${box.note}`));
      return;
    }
    if (!parts[box.part]) {
      const head = make("div", { className: "blockstep-head", textContent: HEADS[box.part] });
      parts[box.part] = make("div", { className: "blockstep-part", role: "group", label: HEADS[box.part] }, head);
      spaces.at(-1).append(parts[box.part]);
    }
    parts[box.part].append(row(box, run.colors, step > 0 && changed.has(place)));
  });
  for (const part of spaces.flatMap((space) => [...space.children])) part.classList.toggle("blockstep-many", part.children.length >= MANY);
  return spaces;
}

function render({ model, el }) {
  const run = model.get("_stepper");
  const last = run.said.length - 1;
  const number = (count) => count.toLocaleString("en-US");

  const go = (step) => {
    const within = Math.max(0, Math.min(last, step));
    if (within === model.get("step")) return;
    model.set("step", within);
    model.save_changes();
  };
  // An image of its own: no name in it meets one of another picture, and nothing in it runs.
  const image = make("img", { alt: run.described, src: `data:image/svg+xml,${encodeURIComponent(run.svg)}` });
  const line = make("div", { className: "blockstep-line" });
  const buttons = BUTTONS.map(([name, sign, to]) => make("button", { type: "button", title: name, label: name, textContent: sign, onclick: () => go(to(model.get("step"))) }));
  const slider = make("input", { type: "range", min: 0, max: last, step: 1, label: "Step", oninput: () => go(Number(slider.value)) });
  const rule = make("span", { className: "blockstep-rule", title: "The rule of this step" });
  const words = make("span", {});
  const said = make("p", { className: "blockstep-said", role: "status" }, words, " ", rule);
  const queues = make("div", {});
  const root = make(
    "div",
    { className: "blockstep", tabIndex: 0, role: "group", label: "Steps of a run" },
    make("div", { className: "blockstep-picture" }, image, line),
    make("div", { className: "blockstep-bar", role: "group", label: "Move through the steps" }, ...buttons, slider),
    said,
    queues,
  );
  if (last < run.count) {
    const text = `These are the first ${number(last)} of ${number(run.count)} steps. run.widget(max_steps=…) sends more.`;
    said.after(make("p", { className: "blockstep-limit", textContent: text }));
  }
  // Notebooks have keys of their own, which are not for this.
  root.dataset.lmSuppressShortcuts = "true";
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !(event.key in KEYS)) return;
    event.preventDefault();
    event.stopPropagation();
    go(BUTTONS[KEYS[event.key]][2](model.get("step")));
  });

  const show = () => {
    const step = model.get("step");
    line.hidden = run.x[step] > 1;
    line.style.left = `${100 * run.x[step]}%`;
    words.textContent = run.said[step];
    rule.hidden = !run.rules[step];
    rule.textContent = run.rules[step];
    slider.value = step;
    slider.setAttribute("aria-valuetext", run.said[step]);
    buttons.forEach((button, i) => button.setAttribute("aria-disabled", String(step === (i < 2 ? 0 : last))));
    queues.replaceChildren(...diagram(run, step));
  };
  show();
  model.on("change:step", show);
  el.append(root);
  for (const still of document.getElementsByClassName(model.get("_still"))) still.style.display = "none";
  return () => model.off("change:step", show);
}

export default { render };
