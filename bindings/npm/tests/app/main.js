// What a page does with the package: a run, its picture, and a sentence; and, when it is used, the second entry.
import { BlockstepError, simulate } from "blockstep";
import { example } from "blockstep/examples";

const run = simulate(example("tx2-table-1"));
const image = new Image();
image.alt = run.sentence("1.2s");
image.src = `data:image/svg+xml,${encodeURIComponent(run.svg({ at: "1.2s", width: 800 }))}`;
document.body.append(image);
await image.decode();

let problem;
try {
  simulate({ version: 1, kernels: [{ name: "K1", blocks: 0, threads_per_block: 64, block_time_ns: 5 }] });
} catch (error) {
  if (!(error instanceof BlockstepError)) throw error;
  problem = error.field;
}
const programs = () => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".wasm")).length;
const atFirst = programs();
const { analyse } = await import("blockstep/analysis");
const { verdict } = analyse(example("lp-block"));
document.body.dataset.found = JSON.stringify({ programs: [atFirst, programs()], verdict, blocks: run.blocks.length, why: run.why("K5", "1.2s").sentence, problem, width: image.naturalWidth });
