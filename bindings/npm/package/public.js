// What others see.
export { BlockstepError, BlockstepFault, Run, check, read, simulate, version } from "./api.js";
