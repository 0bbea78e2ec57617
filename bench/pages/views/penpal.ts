/* For orientation: a remote call a message, not waited for by the sender. */
import { connect, WindowMessenger } from 'penpal';
import { answer, createMeter, readConfig } from '../shared/view.ts';

const meter = createMeter(readConfig());
answer(meter.answers);
const messenger = new WindowMessenger({ remoteWindow: window.parent, allowedOrigins: ['*'] });
connect({ messenger, methods: { chunk: (_seq: number, text: string) => meter.apply(text) } });
