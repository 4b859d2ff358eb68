import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALL, type DbusMessage, type DbusValue, ERROR, RETURN, readMessages, SIGNAL, writeMessage } from './dbus.ts';

/** A notification as the desktop got it. */
export interface ShownNotification {
  id: number;
  title: string;
  body: string;
  /** The keys and labels of its buttons, without the ones that the browser adds. */
  actions: { key: string; label: string }[];
  isOpen: boolean;
}

const BUS = 'org.freedesktop.DBus';
const NAME = 'org.freedesktop.Notifications';
const OWNER = ':1.0';
const PATH = '/org/freedesktop/Notifications';
/** What a browser adds by itself: the press on the notification, and the way to its own settings. */
const OWN_KEYS = new Set(['default', 'settings', 'close']);

/**
 * A desktop without a screen: browsers that run with its `env` show their notifications on it, and a test presses them
 * as a person does. It is the bus and the only service on it.
 */
export class Desktop {
  /** Every notification that was shown. One that replaces another has its id. */
  readonly shown: ShownNotification[] = [];
  /** Added to a browser's environment. */
  readonly env: Record<string, string>;
  readonly #folder: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #serial = 0;
  #lastId = 0;

  private constructor(folder: string, server: Server) {
    this.#folder = folder;
    this.#server = server;
    this.env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'bus')}` };
    server.on('connection', (socket) => this.#connect(socket));
  }

  static async open(): Promise<Desktop> {
    const folder = await mkdtemp(join(tmpdir(), 'beckon-desktop-'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, 'bus'), resolve));
    return new Desktop(folder, server);
  }

  /** What is on the screen. */
  get open(): ShownNotification[] {
    return this.shown.filter(({ isOpen }) => isOpen);
  }

  /** Presses a notification, or the button with this label on it. */
  press({ id, actions }: ShownNotification, label?: string): void {
    const key = label === undefined ? 'default' : actions.find((action) => action.label === label)?.key;
    if (key === undefined) throw new Error(`Expected a button "${label}".`);
    this.#signal('ActionInvoked', 'us', [id, key]);
  }

  /** Wipes a notification away. */
  dismiss({ id }: ShownNotification): void {
    this.#end(id, 2);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true, force: true });
  }

  #connect(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    let rest = Buffer.alloc(0);
    let isBegun = false;
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (!isBegun && rest.includes('\r\n')) {
        const line = rest.toString('latin1', 0, rest.indexOf('\r\n')).replace('\0', '');
        rest = rest.subarray(rest.indexOf('\r\n') + 2);
        if (line === 'BEGIN') isBegun = true;
        else socket.write(authenticate(line));
      }
      if (!isBegun) return;
      const { messages, read } = readMessages(rest);
      rest = rest.subarray(read);
      for (const message of messages) if (message.type === CALL) this.#answer(socket, message);
    });
  }

  #answer(socket: Socket, call: DbusMessage): void {
    const reply = call.destination === BUS ? this.#askBus(call) : this.#askService(call);
    const head = {
      serial: this.#next(),
      replySerial: call.serial,
      destination: ':1.1',
      sender: call.destination === BUS ? BUS : OWNER,
    };
    if (reply === null) {
      const body = [`No method ${call.interface}.${call.member}`];
      socket.write(writeMessage({ ...head, type: ERROR, error: `${BUS}.Error.UnknownMethod`, signature: 's', body }));
    } else {
      const [signature = '', ...body] = reply;
      socket.write(writeMessage({ ...head, type: RETURN, signature: signature as string, body }));
    }
  }

  /** The signature of the reply and its values; `null`: no such method. */
  #askBus({ member, body: [name] }: DbusMessage): DbusValue[] | null {
    switch (member) {
      case 'Hello':
        return ['s', ':1.1'];
      case 'AddMatch':
      case 'RemoveMatch':
        return [''];
      case 'RequestName':
        return ['u', 1];
      case 'NameHasOwner':
        return ['b', name === NAME];
      case 'GetNameOwner':
        return name === NAME ? ['s', OWNER] : null;
      case 'ListNames':
        return ['as', [BUS, NAME]];
      case 'ListActivatableNames':
        return ['as', []];
      default:
        return null;
    }
  }

  #askService({ destination, member, body }: DbusMessage): DbusValue[] | null {
    if (destination !== NAME) return null;
    switch (member) {
      case 'GetCapabilities':
        return ['as', ['actions', 'body', 'persistence']];
      case 'GetServerInformation':
        return ['ssss', 'Desktop', 'Beckon', '1', '1.2'];
      case 'Notify':
        return ['u', this.#show(body as NotifyArguments)];
      case 'CloseNotification':
        this.#end(body[0] as number, 3);
        return [''];
      default:
        return null;
    }
  }

  #show([, replaces, , title, body, keys]: NotifyArguments): number {
    const id = replaces === 0 ? ++this.#lastId : replaces;
    for (const old of this.shown) if (old.id === id) old.isOpen = false;
    const actions = keys.flatMap((key, index) => (index % 2 === 0 ? [{ key, label: keys[index + 1] ?? '' }] : []));
    this.shown.push({ id, title, body, actions: actions.filter(({ key }) => !OWN_KEYS.has(key)), isOpen: true });
    return id;
  }

  #end(id: number, reason: number): void {
    for (const one of this.shown) if (one.id === id) one.isOpen = false;
    this.#signal('NotificationClosed', 'uu', [id, reason]);
  }

  #signal(member: string, signature: string, body: DbusValue[]): void {
    for (const socket of this.#sockets) {
      socket.write(
        writeMessage({
          type: SIGNAL,
          serial: this.#next(),
          path: PATH,
          interface: NAME,
          member,
          sender: OWNER,
          signature,
          body,
        }),
      );
    }
  }

  #next(): number {
    this.#serial += 1;
    return this.#serial;
  }
}

type NotifyArguments = [string, number, string, string, string, string[]];

function authenticate(line: string): string {
  if (line.startsWith('AUTH EXTERNAL')) return 'OK 0123456789abcdef0123456789abcdef\r\n';
  return line.startsWith('AUTH') ? 'REJECTED EXTERNAL\r\n' : 'ERROR\r\n';
}
