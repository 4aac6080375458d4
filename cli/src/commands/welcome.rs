//! The help text for a user who starts the program in a terminal without arguments.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// Returns `true` if the program runs in a terminal without arguments. With a protocol or an option, a session starts there.
pub(crate) fn is_requested() -> bool {
    env::args_os().len() <= 1 && io::stdin().is_terminal() && io::stdout().is_terminal()
}

pub(crate) fn run() -> io::Result<ExitCode> {
    let program = env::current_exe()?;
    io::stdout().write_all(text(&program).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns how to register the program with this path for the protocol with this name.
pub(crate) fn settings(protocol: &str, program: &Path) -> String {
    let folder = program.parent().unwrap_or(Path::new(".")).display();
    let path = program.display();
    match protocol {
        "nboard" => format!(
            "In NBoard (Engine / Select Opponent… / Add Engine):\n\
             \x20 working directory  {folder}\n\
             \x20 command            {path} nboard\n"
        ),
        "xboard" => format!("In XBoard:\n  xboard -fcp \"{path} xboard\" -variant othello\n"),
        "cassio" => format!(
            "In Cassio, as engine.sh in a folder of its engines:\n\
             \x20 exec \"{path}\" cassio --threads \"${{1:-1}}\" --hash 256\n"
        ),
        _ => format!("In a program that speaks its protocol:\n  {path} {protocol}\n"),
    }
}

/// Returns the text for the program with this path.
pub(crate) fn text(program: &Path) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let guis = ["nboard", "xboard", "cassio"].map(|gui| settings(gui, program)).concat();
    let mut text = format!(
        "Outflank {version}, an Othello engine. GUIs start it and communicate with it on standard input and output.\n\
         \n\
         {guis}\
         \n\
         To try it here:\n\
         \x20 outflank hint f5d6c3           the best moves of a position\n\
         \x20 outflank analyze GAME.ggf      the loss of every move of a game\n\
         \x20 outflank solve ENDGAMES.obf    exact scores\n\
         \x20 outflank nboard                a session by hand: `set depth 12`, `go`, `quit`\n\
         \x20 outflank serve                 the page in a browser, with this program as its engine\n\
         \x20 outflank doctor                checks of the program and its speed on this machine\n\
         \x20 outflank help                  all commands; `outflank help analyze` and `outflank help nboard` describe one\n"
    );
    if program.display().to_string().contains(char::is_whitespace) {
        text.push_str(
            "\nNBoard splits commands at white space: copy the program to a path without white space first.\n",
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_the_path_and_a_warning_for_spaces() {
        let plain = text(Path::new("/opt/outflank/outflank"));
        assert!(
            plain.contains("  /opt/outflank\n") && plain.contains("  /opt/outflank/outflank nboard\n"),
            "{plain}"
        );
        assert!(!plain.contains("white space"));
        // The document for Cassio has this line.
        let line = r#"exec "/opt/outflank/outflank" cassio --threads "${1:-1}" --hash 256"#;
        let document = include_str!("../../docs/cassio.md").replace("/path/to/", "/opt/outflank/");
        assert!(plain.contains(line) && document.contains(line));
        assert!(text(Path::new("/my programs/outflank")).contains("white space"));
    }
}
