import './styles/tokens.css';
import './styles/page.css';
import './styles/transcript.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createKeywordPlanner } from '../planner/keyword-planner.ts';
import { createCallStarter } from './chat/calls.ts';
import { createChat } from './chat/chat.ts';
import { connectServers } from './chat/servers.ts';
import { loadConfig, readPageOptions } from './config.ts';
import { asSentence } from './sentence.ts';
import { App } from './ui/app.tsx';

const element = document.getElementById('root');
if (element === null) throw new Error('The page has no #root.');
const root = createRoot(element);

async function start(): Promise<void> {
  const options = readPageOptions(location.search);
  const config = await loadConfig();
  const chat = createChat({
    servers: await connectServers(config),
    planner: createKeywordPlanner(),
    startCall: createCallStarter(options.partials),
  });
  root.render(
    <StrictMode>
      <App chat={chat} sandbox={config.sandbox} options={options} />
    </StrictMode>,
  );
  if (options.prompt !== undefined) chat.send(options.prompt);
}

start().catch((error: unknown) => {
  const message = asSentence(error);
  root.render(
    <p className="fatal" role="alert">
      The demo could not start: {message} Is the command in the terminal still running?
    </p>,
  );
});
