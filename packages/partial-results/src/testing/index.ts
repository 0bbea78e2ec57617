/* Workspace-only: published packages do not export it. */
export { createManualScheduler, type ManualScheduler } from './manual-scheduler.ts';
