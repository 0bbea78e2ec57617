import type { Scenario } from '../lib/scenario.ts';
import { batches } from './batches.ts';
import { checks } from './checks.ts';
import { claim } from './claim.ts';
import { growth } from './growth.ts';
import { hostShare } from './host-share.ts';
import { largePayload } from './large-payload.ts';
import { latency } from './latency.ts';
import { mounting } from './mounting.ts';
import { rendering } from './rendering.ts';
import { size } from './size.ts';
import { slowView } from './slow-view.ts';
import { throughput } from './throughput.ts';
import { viewTime } from './view-time.ts';

/** In the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  size,
  batches,
  throughput,
  viewTime,
  largePayload,
  slowView,
  latency,
  hostShare,
  rendering,
  mounting,
  checks,
  claim,
  growth,
];
