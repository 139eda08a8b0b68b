import { render } from "preact";
import { App } from "./app.tsx";
import { followHistory } from "./state/address.ts";
import { takeToken } from "./state/ask.ts";
import { startClock } from "./state/clock.ts";
import { connect } from "./state/connect.ts";
import { followTheme } from "./state/theme.ts";

takeToken();
followHistory();
followTheme();
startClock();
render(<App />, document.getElementById("app")!);
void connect();
