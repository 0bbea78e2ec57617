/* For orientation: a remote call a message, not waited for by the sender. */
import * as Comlink from 'comlink';
import { answer, createMeter, readConfig } from '../shared/view.ts';

const meter = createMeter(readConfig());
answer(meter.answers);
const chunk = (_seq: number, text: string): void => meter.apply(text);
Comlink.expose({ chunk }, Comlink.windowEndpoint(window.parent));
