export const texts = {
  title: 'Devices',
  hint: 'These browsers are logged in. Revoke any that you do not recognize or no longer use.',
  you: 'This one',
  lastSeen: (at: string) => `Last seen ${at}`,
  since: (at: string) => `Logged in ${at}`,
  revoke: 'Revoke',
  revokeOne: (label: string) => `Revoke ${label}`,
  revokeTitle: (label: string) => `Log out ${label}?`,
  revokeHint: 'To log in again, this browser needs a new link from “beckon open”.',
  revoked: (label: string) => `${label} is logged out`,
  revokeFailed: 'The browser could not be logged out.',
  gone: 'The browser was already logged out.',
  failed: 'The devices could not be loaded.',
  empty: 'No browser has logged in with a link',
  addPhone: 'Add a phone',
  add: 'To log in another browser, add a phone here, or run “beckon open --print” on the machine of Beckon and open the link.',
  logOut: 'Log out',
  logOutFailed: 'You could not be logged out.',
  role: (role: string) => `Role: ${role}`,
  answerOnly: 'Answers only',
  inChat: (chatId: string) => `Only the chat ${chatId}`,
  loggedInAs: (who: string) => `Logged in as ${who}`,

  phone: {
    title: 'Add a phone',
    scan: 'Scan this with the camera of your phone, and open the link.',
    code: (host: string) => `QR code of a login link at ${host}`,
    once: 'Works once.',
    rights: (who: string) =>
      `It logs the phone in as ${who}, with the same rights as this browser. Show it to nobody else.`,
    where: {
      network: (host: string) => `It opens ${host}, so the phone must be in the same network or VPN.`,
      anywhere: (host: string) => `It opens ${host}.`,
    },
    showLink: 'Show the link',
    link: 'Link for the phone',
    over: 'This code has expired',
    another: 'Make a new one',
    failed: 'No code could be made',
    arrived: (label: string) => `${label} is logged in`,
    arrivedHint: 'The code is used up. If this was not you, revoke that device in the list.',
    done: 'Done',
    unreachable: (host: string) => `A phone cannot open ${host}`,
    unreachableHint: 'Beckon listens only on its own machine, and on a phone this address means the phone itself.',
    insecure: 'Logging in works, notifications do not',
    insecureHint:
      'This address is not encrypted. Browsers give notifications, and pages that can be installed, only to HTTPS. In a network that you do not trust, others can read along.',
    secureWays: 'How to get notifications on the phone',
    restart:
      'Stop Beckon with “beckon down” and start it in one of these ways. Requests stay, and agents keep waiting.',
    askAdmin: 'Whoever runs this Beckon can start it in one of these ways:',
    copy: (way: string) => `Copy the commands: ${way}`,
    ways: {
      network: {
        name: 'In the same Wi-Fi',
        hint: 'The quickest way. Not encrypted, so without notifications, and only for a network that you trust.',
        commands: (port: string) => `beckon up --host 0.0.0.0 --port ${port}`,
      },
      tls: {
        name: 'With a certificate',
        hint: 'Beckon speaks HTTPS itself. The phone must trust the certificate.',
        commands: (port: string) => `beckon up --host 0.0.0.0 --port ${port} --tls-cert cert.pem --tls-key key.pem`,
      },
      proxy: {
        name: 'Behind a reverse proxy',
        hint: 'nginx or Caddy has the certificate, and passes requests on.',
        commands: (port: string) =>
          `beckon up --port ${port} --public-url https://beckon.example.com --trusted-proxy loopback`,
      },
      tailscale: {
        name: 'With Tailscale',
        hint: 'For devices of your own tailnet, with a certificate, without an open port.',
        commands: (port: string) =>
          `tailscale serve --bg ${port}\nbeckon up --port ${port} --public-url https://MACHINE.TAILNET.ts.net --trusted-proxy loopback`,
      },
      ssh: {
        name: 'Through a server of yours',
        hint: 'An SSH tunnel from this machine to a server that has a reverse proxy with HTTPS.',
        commands: (port: string) =>
          `ssh -N -R 127.0.0.1:${port}:127.0.0.1:${port} you@server\nbeckon up --port ${port} --public-url https://beckon.example.com --trusted-proxy loopback`,
      },
    },
  },
};
