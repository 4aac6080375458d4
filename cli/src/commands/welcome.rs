//! What the program says of itself to someone who started it in a terminal, without a word of what is wanted. There is
//! no GUI there to talk to.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// Whether somebody sits at a terminal and said nothing. With a protocol or an option the engine talks there, too.
pub(crate) fn is_wanted() -> bool {
    env::args_os().len() <= 1 && io::stdin().is_terminal() && io::stdout().is_terminal()
}

pub(crate) fn run() -> io::Result<ExitCode> {
    let program = env::current_exe()?;
    io::stdout().write_all(text(&program).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn text(program: &Path) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let folder = program.parent().unwrap_or(Path::new(".")).display();
    let path = program.display();
    let mut text = format!(
        "Outflank {version}, an Othello engine. GUIs start it and talk to it on standard input and output.\n\
         \n\
         In NBoard (Engine / Select Opponent… / Add Engine):\n\
         \x20 working directory  {folder}\n\
         \x20 command            {path} nboard\n\
         In XBoard:\n\
         \x20 xboard -fcp \"{path} xboard\" -variant othello\n\
         In Cassio, as engine.sh in a folder of its engines:\n\
         \x20 exec \"{path}\" cassio --threads \"${{1:-1}}\" --hash 256\n\
         \n\
         To try it here:\n\
         \x20 outflank analyze GAME.ggf      what every move of a game gained or lost\n\
         \x20 outflank solve ENDGAMES.obf    exact scores\n\
         \x20 outflank nboard                the protocol by hand: `set depth 12`, `go`, `quit`\n\
         \x20 outflank bench                 how fast it is on this machine\n\
         \x20 outflank help                  all commands; `outflank help analyze` tells of one\n"
    );
    if path.to_string().contains(char::is_whitespace) {
        text.push_str(
            "\nNBoard splits commands at white space: copy the program to a path without any first.\n",
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_tells_where_the_program_is_and_warns_of_spaces() {
        let plain = text(Path::new("/opt/outflank/outflank"));
        assert!(
            plain.contains("  /opt/outflank\n") && plain.contains("  /opt/outflank/outflank nboard\n"),
            "{plain}"
        );
        assert!(!plain.contains("white space"));
        // Cassio's document has the same line.
        let line = r#"exec "/opt/outflank/outflank" cassio --threads "${1:-1}" --hash 256"#;
        let document = include_str!("../../docs/cassio.md").replace("/path/to/", "/opt/outflank/");
        assert!(plain.contains(line) && document.contains(line));
        assert!(text(Path::new("/my programs/outflank")).contains("white space"));
    }
}
