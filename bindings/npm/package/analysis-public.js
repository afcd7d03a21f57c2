// What others see of the second entry.
export { BlockstepError, BlockstepFault, Sweep, analyse, policyCheck, sweep, trace } from "./analysis-api.js";
