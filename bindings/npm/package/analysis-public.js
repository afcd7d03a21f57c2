// What others see of the second entry.
export { BlockstepError, BlockstepFault, Sweep, analyse, checkResident, policyCheck, sweep, trace } from "./analysis-api.js";
