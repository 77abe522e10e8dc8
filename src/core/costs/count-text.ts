/** A count of tokens as text: some senders write counts so, and the server and the web UI sum those too. */
export const COUNT_TEXT = /^[0-9]{1,15}$/
