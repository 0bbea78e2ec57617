import { uiClientCapabilities } from '@mcp-apps-bridge/host-bridge';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SECRET, type Engine, type Place } from '../attack.ts';

/** What all labs of the page share. */
export interface World {
  place: Omit<Place, 'key'>;
  engine: Engine;
  attacker: Client;
  bank: Client;
}

async function connect(url: string): Promise<Client> {
  const client = new Client(
    { name: 'attacked-host', version: '1.0.0' },
    { capabilities: { ...uiClientCapabilities } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

/** Connects to both servers and hides a secret wherever the two origins can keep one. */
export async function openWorld(): Promise<World> {
  const urls = (await (await fetch('/urls.json')).json()) as World['place'] & {
    attacker: string;
    bank: string;
  };
  const { host, sandbox, near, collector, tcp, udp } = urls;
  document.cookie = `secret=${SECRET.host}`;
  localStorage.setItem('secret', SECRET.host);
  sessionStorage.setItem('secret', SECRET.host);
  await plant(near);
  await plantDatabase();
  const [attacker, bank] = await Promise.all([connect(urls.attacker), connect(urls.bank)]);
  return {
    place: { host, sandbox, near, collector, tcp, udp },
    engine: engineOf(navigator.userAgent),
    attacker,
    bank,
  };
}

function engineOf(userAgent: string): Engine {
  if (userAgent.includes('Firefox')) return 'firefox';
  return userAgent.includes('Chrom') ? 'chromium' : 'webkit';
}

async function plant(near: string): Promise<void> {
  const frame = document.createElement('iframe');
  frame.src = `${near}/plant`;
  const planted = new Promise<void>((resolve) =>
    addEventListener('message', ({ data }) => data === 'planted' && resolve()),
  );
  document.body.append(frame);
  await planted;
  frame.remove();
}

async function plantDatabase(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open('secrets', 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('secrets'));
    opening.addEventListener('error', () => reject(opening.error ?? new Error('no database')));
    opening.addEventListener('success', () => {
      const change = opening.result.transaction('secrets', 'readwrite');
      change.objectStore('secrets').put(SECRET.host, 'secret');
      change.addEventListener('complete', () => {
        opening.result.close();
        resolve();
      });
    });
  });
}
