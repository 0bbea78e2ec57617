/* The good client as a command: the plan from the environment, the events to standard output. */
import { type ClientPlan, PLAN_VARIABLE } from '../lib/client/protocol.ts';
import { runSdkClient } from './sdk-client.ts';

const plan = JSON.parse(process.env[PLAN_VARIABLE]!) as ClientPlan;
await runSdkClient(plan, (event) => console.log(JSON.stringify(event)));
