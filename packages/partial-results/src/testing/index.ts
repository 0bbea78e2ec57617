/* Workspace-only: published packages do not export it. */
export {
  createFaultLink,
  createRandom,
  shuffled,
  type FaultLink,
  type FaultLinkOptions,
  type Faults,
} from './faults.ts';
export { createManualScheduler, type ManualScheduler } from './manual-scheduler.ts';
